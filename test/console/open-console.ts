import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { Service } from '#bench/service.js';
import { chromiumPath } from '../chromium.js';

/** The page of a service in a real browser, signed in. */
export interface OpenConsole {
  readonly browser: Browser;
  /** Another window on a path such as `/datasets`, of whoever is signed in; `errors` gathers what breaks in it. */
  open(path: string, options?: BrowserContextOptions): Promise<{ page: Page; errors: string[] }>;
  close(): Promise<void>;
}

/** Of a single step; the machine may be busy. */
const timeoutMs = 20_000;

export const administrator = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  password: 'plum-Kettle 7 orbits',
} as const;

/** The one place that knows how a test signs in: by the link that the service prints, as the person who installs it. */
export async function openConsole(service: Service): Promise<OpenConsole> {
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
  const first = await browser.newContext();
  const page = await first.newPage();
  await page.goto(await service.welcomeLink());
  await page.getByLabel('Your name').fill(administrator.name);
  await page.getByLabel('E-mail address').fill(administrator.email);
  await page.getByRole('textbox', { name: 'New password' }).fill(administrator.password);
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.getByRole('button', { name: `Menu of ${administrator.name}` }).waitFor();
  const signedIn = await first.storageState();
  await first.close();
  return {
    browser,
    async open(path, options = {}) {
      const context = await browser.newContext({
        ...{ viewport: { width: 1280, height: 860 }, storageState: signedIn },
        ...options,
      });
      const page = await context.newPage();
      page.setDefaultTimeout(timeoutMs);
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      await page.goto(service.url + path);
      return { page, errors };
    },
    close: () => browser.close(),
  };
}
