import type { Browser, Page } from 'playwright-core';
import type { Service } from '../service.js';

const session = {
  user: {
    id: 1,
    email: 'ada@example.com',
    name: 'Ada Lovelace',
    role: 'owner',
    is_administrator: true,
    has_totp: false,
  },
  account: { id: 1, name: 'default', plan: 'paid' },
  csrf_token: 'a-token',
  expires_at: '2100-01-01T00:00:00.000Z',
};

/** A window on the service, signed in: the one place that knows how, the first key going with every request. */
export async function openPage(browser: Browser, { url, key }: Service): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.route('**/api/**', (route) =>
    route.continue({ headers: { ...route.request().headers(), 'x-api-key': key } }),
  );
  await page.route('**/api/session', (route) => route.fulfill({ json: session }));
  await page.route('**/api/session/key', (route) =>
    route.fulfill({ status: 201, json: { key, expires_at: session.expires_at } }),
  );
  return page;
}
