import type { Browser, BrowserContext } from 'playwright-core';
import { comeIn } from '../come-in.js';
import type { Service } from '../service.js';

/** Windows on the service, signed in by its one-time link. */
export async function openWindows(browser: Browser, service: Service): Promise<BrowserContext> {
  const storageState = await comeIn(browser, service);
  return browser.newContext({
    ...{ baseURL: service.url, viewport: { width: 1280, height: 800 }, storageState },
  });
}
