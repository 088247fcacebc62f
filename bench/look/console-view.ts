import type { Page } from 'playwright-core';

/** What somebody does on a page. */
export type Step = (page: Page) => Promise<unknown>;

/** Whose window it is: of who has everything, of a new account that has nothing, of nobody who is signed in. */
export type Eyes = 'administrator' | 'newcomer' | 'nobody';

/** A page, a tab of one, or a state of either, as it is looked at. */
export interface ConsoleView {
  /** Of its image's file. */
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
  readonly prepare?: Step;
  /** What opens over it, and is closed by Escape. */
  readonly windows?: readonly ViewWindow[];
}

/** A modal window, a drawer or a menu. */
export interface ViewWindow {
  readonly name: string;
  readonly open: Step;
  readonly shows: string | RegExp;
  /** Instead of Escape. */
  readonly close?: Step;
}

export const press =
  (name: string | RegExp): Step =>
  (page) =>
    page
      .getByRole('button', { name, exact: typeof name === 'string' })
      .first()
      .click();

/** Chooses from a menu that a button opens. */
export const choose =
  (button: string | RegExp, item: string): Step =>
  async (page) => {
    await press(button)(page);
    await page.getByRole('menuitem', { name: item }).click();
  };

export const openTab =
  (name: string | RegExp): Step =>
  (page) =>
    page.getByRole('tab', { name }).click();

export const allOf =
  (...steps: readonly Step[]): Step =>
  async (page) => {
    for (const step of steps) await step(page);
  };

export const fill =
  (label: string, text: string): Step =>
  (page) =>
    page.getByRole('textbox', { name: label, exact: true }).last().fill(text);

export const giveFiles =
  (names: readonly string[], draw: () => Promise<Buffer>): Step =>
  async (page) => {
    const buffer = await draw();
    const files = names.map((name) => ({ name, mimeType: 'image/png', buffer }));
    await page.locator('input[type=file]').first().setInputFiles(files);
  };
