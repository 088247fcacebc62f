import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { Service } from '#bench/service.js';
import { signIn } from '#bench/sign-in.js';
import { chromiumPath } from '../support/chromium.js';

/** The page of a service in a real browser, signed in. */
export interface OpenConsole {
  readonly browser: Browser;
  /** Another window on a path such as `/datasets`, of whoever is signed in; `errors` gathers what breaks in it. */
  open(path: string, options?: BrowserContextOptions): Promise<{ page: Page; errors: string[] }>;
  close(): Promise<void>;
}

/** Of a single step; the machine may be busy. */
const timeoutMs = 60_000;

/** Comes in by the one-time link, as its first user does; other windows have the same session. */
export async function openConsole(
  service: Pick<Service, 'url' | 'firstLink'>,
  args: readonly string[] = [],
): Promise<OpenConsole> {
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', ...args] });
  const storageState = await signIn(browser, service);
  return {
    browser,
    async open(path, options = {}) {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 860 },
        storageState,
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
