import type { Page } from 'playwright-core';

/** An action of a user on a page. */
export type Step = (page: Page) => Promise<unknown>;

/** The user of a window: an administrator with all records, who may only look at them, a new empty account, or nobody signed in. */
export type Viewer = 'administrator' | 'reader' | 'newcomer' | 'visitor';

/** A page, a tab of one, or a state of either, as it is looked at. */
export interface ConsoleView {
  /** Of its image's file. */
  readonly name: string;
  readonly path: string;
  /** Words that it shows once it is there. */
  readonly shows: string | RegExp;
  readonly viewer?: Viewer;
  /** A variant of another view: captured and checked for barriers by the command, not in every run of the tests. */
  readonly isVariant?: true;
  /** Requests without an answer, or with an error, so that waiting and failing are visible. */
  readonly answers?: { readonly to: string; readonly as: 'none' | 'failure' };
  /** Waits until the subject of the page is visible. */
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
