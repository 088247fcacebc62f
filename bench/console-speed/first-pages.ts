import type { PageToMeasure } from './measure-page.js';

/** First pages: signed in, and before. */
export const firstPage: PageToMeasure = {
  path: '/',
  use: async (page) => {
    await Promise.all([
      page.waitForEvent('filechooser'),
      page.locator('button', { hasText: 'Choose an image' }).click(),
    ]);
  },
};

/** Cameras, and the events of them. Both are loaded on their own. */
export const camerasPage: PageToMeasure = {
  path: '/streams',
  use: async (page) => {
    await page.getByRole('button', { name: 'Add a camera' }).click();
    await page.getByRole('dialog').waitFor();
  },
};

export const eventsPage: PageToMeasure = {
  path: '/stream-events',
  use: async (page) => {
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Class').waitFor();
  },
};

export const signInPage: PageToMeasure = {
  path: '/sign-in',
  use: async (page) => {
    // The typed text is shown by the page, not by the browser.
    await page.locator('form button[type=button]').click();
    await page.locator('input[autocomplete=current-password][type=text]').waitFor();
  },
};
