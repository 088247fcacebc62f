import type { Page } from 'playwright-core';
import type { ConsoleView, ViewWindow } from './console-view.js';

const patienceMs = 20_000;

/** How a page is looked at. */
export const forms = {
  light: { width: 1280, height: 860, colorScheme: 'light' },
  dark: { width: 1280, height: 860, colorScheme: 'dark' },
  phone: { width: 390, height: 844, colorScheme: 'light' },
} as const;
export type Form = keyof typeof forms;

/** Changes the window itself: what is open in it stays open. */
export async function takeForm(page: Page, form: Form): Promise<void> {
  const { colorScheme, ...size } = forms[form];
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.setViewportSize(size);
  if (page.url() !== 'about:blank') {
    await page.locator(`:root[data-mantine-color-scheme=${colorScheme}]`).waitFor();
  }
  // Colour transitions are finished at once: half-way their contrast is lower.
  await page.evaluate(
    'document.getAnimations().forEach((each) => each instanceof CSSTransition && each.finish())',
  );
}

/** As in the service's answer. */
const failure = {
  type: 'about:blank',
  title: 'Internal Server Error',
  status: 500,
  code: 'internal_error',
  detail: 'something went wrong here; the log has it under this request_id',
  request_id: 'look',
};

/** Opens a page, and waits until it shows its subject. */
export async function visit(page: Page, view: ConsoleView): Promise<void> {
  const { path, answers, prepare, shows } = view;
  await page.unrouteAll();
  if (answers) {
    await page.route(answers.to, (route) =>
      answers.as === 'none' ? undefined : route.fulfill({ status: 500, json: failure }),
    );
  }
  // A change of the fragment alone would not reload the page.
  await page.goto('about:blank');
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await prepare?.(page);
  await page.getByText(shows).first().waitFor();
  if (answers?.as !== 'none') await until(page, isIdle);
}

export async function openWindow(page: Page, { open, shows }: ViewWindow): Promise<void> {
  await open(page);
  await page.getByText(shows).last().waitFor();
  await until(page, `document.activeElement.closest('[role=dialog], [role=menu]') !== null`);
  await until(page, isIdle);
}

/** Nothing is awaited any more, and images in sight are drawn. */
const isIdle = `
  !document.querySelector('.mantine-Loader-root') &&
  [...document.images].every((image) => image.complete || image.loading === 'lazy')`;

/** The page's own policy lets nothing be evaluated in it again and again, so that it is asked from here. */
async function until(page: Page, isSo: string): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!(await page.evaluate(isSo))) {
    if (Date.now() > deadline) throw new Error(`after ${patienceMs} ms this is not so: ${isSo}`);
    await page.waitForTimeout(20);
  }
}
