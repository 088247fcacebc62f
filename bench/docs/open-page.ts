import type { Browser, Page } from 'playwright-core';
import { comeIn } from '../come-in.js';
import type { Service } from '../service.js';

/** A window on the service, signed in by its one-time link. */
export async function openPage(browser: Browser, service: Service): Promise<Page> {
  const storageState = await comeIn(browser, service);
  const context = await browser.newContext({
    ...{ baseURL: service.url, viewport: { width: 1280, height: 800 }, storageState },
  });
  return context.newPage();
}
