import type { Browser, BrowserContext } from 'playwright-core';
import type { Service } from '#bench/service.js';
import { signIn } from '#bench/sign-in.js';

/** Windows on the service, signed in by its one-time link. */
export async function openWindows(browser: Browser, service: Service): Promise<BrowserContext> {
  const storageState = await signIn(browser, service);
  return browser.newContext({
    baseURL: service.url,
    viewport: { width: 1280, height: 800 },
    storageState,
  });
}
