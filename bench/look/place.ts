import type { Page } from 'playwright-core';

/** What somebody does on a page. */
export type Act = (page: Page) => Promise<unknown>;

/** Whose window it is: of who has everything, of a new account that has nothing, of nobody who is signed in. */
export type Eyes = 'administrator' | 'newcomer' | 'nobody';

/** A page, a tab of one, or a state of either, as it is looked at. */
export interface Place {
  /** Of its picture's file. */
  readonly name: string;
  readonly path: string;
  /** Words that it shows once it is there. */
  readonly shows: string | RegExp;
  readonly eyes?: Eyes;
  /** Made of the same parts as another one: photographed and searched for barriers by the command, not in every run of the tests. */
  readonly isVariant?: true;
  /** Requests that get no answer, or none that is any good, so that waiting and failing are seen. */
  readonly answers?: { readonly to: string; readonly as: 'none' | 'failure' };
  /** Until there is to be seen what the place is about. */
  readonly prepare?: Act;
  /** What opens over it, and is closed by Escape. */
  readonly windows?: readonly PlaceWindow[];
}

/** A modal window, a drawer or a menu. */
export interface PlaceWindow {
  readonly name: string;
  readonly open: Act;
  readonly shows: string | RegExp;
  /** Instead of Escape. */
  readonly close?: Act;
}

export const press =
  (name: string | RegExp): Act =>
  (page) =>
    page
      .getByRole('button', { name, exact: typeof name === 'string' })
      .first()
      .click();

/** Chooses from a menu that a button opens. */
export const choose =
  (button: string | RegExp, item: string): Act =>
  async (page) => {
    await press(button)(page);
    await page.getByRole('menuitem', { name: item }).click();
  };

export const openTab =
  (name: string | RegExp): Act =>
  (page) =>
    page.getByRole('tab', { name }).click();

export const allOf =
  (...acts: readonly Act[]): Act =>
  async (page) => {
    for (const act of acts) await act(page);
  };

export const fill =
  (label: string, text: string): Act =>
  (page) =>
    page.getByRole('textbox', { name: label, exact: true }).last().fill(text);

export const giveFiles =
  (names: readonly string[], draw: () => Promise<Buffer>): Act =>
  async (page) => {
    const buffer = await draw();
    const files = names.map((name) => ({ name, mimeType: 'image/png', buffer }));
    await page.locator('input[type=file]').first().setInputFiles(files);
  };
