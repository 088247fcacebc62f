import type { Browser, BrowserContext } from 'playwright-core';
import type { Service } from './service.js';

/** The user who signs in by the link that a service prints. */
export const administrator = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  password: 'copper ladder 93 moss',
};

/** Signs in by the one-time link as a service's first user does; returns the session for other windows. */
export async function signIn(
  browser: Browser,
  service: Pick<Service, 'firstLink'>,
): Promise<Awaited<ReturnType<BrowserContext['storageState']>>> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(await service.firstLink);
  await page.getByLabel('Your name').fill(administrator.name);
  await page.getByLabel('E-mail address').fill(administrator.email);
  await page.getByLabel('New password').fill(administrator.password);
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.getByRole('heading', { name: 'Try it' }).waitFor();
  const state = await context.storageState();
  await context.close();
  return state;
}
