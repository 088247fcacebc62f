import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { Service } from '#bench/service.js';
import { chromiumPath } from '../chromium.js';

/** The page of a service in a real browser, signed in. */
export interface OpenConsole {
  readonly browser: Browser;
  /** Another window on a path such as `/datasets`; `errors` gathers what breaks in it. */
  open(path: string, options?: BrowserContextOptions): Promise<{ page: Page; errors: string[] }>;
  close(): Promise<void>;
}

const session = {
  user: {
    ...{ id: 1, email: 'ada@example.com', name: 'Ada Lovelace', role: 'owner' },
    ...{ is_administrator: true, has_totp: false },
  },
  account: { id: 1, name: 'default', plan: 'paid' },
  csrf_token: 'a-token',
  expires_at: '2100-01-01T00:00:00.000Z',
};

/** The one place that knows how a test signs in: the first key goes with every request. */
export async function openConsole(service: Service): Promise<OpenConsole> {
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
  return {
    browser,
    async open(path, options = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
      const page = await context.newPage();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      await page.route('**/api/**', (route) =>
        route.continue({ headers: { ...route.request().headers(), 'x-api-key': service.key } }),
      );
      await page.route('**/api/session', (route) => route.fulfill({ json: session }));
      await page.goto(service.url + path);
      return { page, errors };
    },
    close: () => browser.close(),
  };
}
