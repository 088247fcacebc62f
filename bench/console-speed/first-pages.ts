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

export const signInPage: PageToMeasure = {
  path: '/sign-in',
  use: async (page) => {
    // The typed text is shown by the page, not by the browser.
    await page.locator('form button[type=button]').click();
    await page.locator('input[autocomplete=current-password][type=text]').waitFor();
  },
};
