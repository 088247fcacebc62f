import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { Service } from '#bench/service.js';
import { signIn } from '#bench/sign-in.js';
import { chromiumPath } from '../support/chromium.js';

/** The page of a service in a real browser, signed in. */
export interface OpenConsole {
  readonly browser: Browser;
  /** Opens a window with the session on a path such as `/datasets`; `errors` collects its errors. */
  open(path: string, options?: BrowserContextOptions): Promise<{ page: Page; errors: string[] }>;
  close(): Promise<void>;
}

/** For a single step; the machine may be busy. */
const timeoutMs = 60_000;

/** Signs in by the one-time link, as the first user does; all windows have this session. */
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
        // A field that still moves is pressed in one place and released in another: that is no click.
        reducedMotion: 'reduce',
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

/** Sends a request to the API with the session of a page: a GET, or a POST with `data`. */
export async function askAs({ request }: Page, url: string, path: string, data?: object) {
  const session = await request.get(`${url}/api/session`);
  const headers = { 'x-csrf-token': (await session.json()).csrf_token, origin: url };
  const answer = await (data === undefined
    ? request.get(url + path)
    : request.post(url + path, { headers, data }));
  if (!answer.ok()) throw new Error(`${path}: ${await answer.text()}`);
  return answer.json();
}
