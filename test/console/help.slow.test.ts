import { readdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstPage, signInPage } from '#bench/console-speed/first-pages.js';
import { measurePage } from '#bench/console-speed/measure-page.js';
import { type Service, startService } from '#bench/service.js';
import { haveChromium } from '../support/chromium.js';
import { haveDefaultModels } from '../support/default-models.js';
import { type OpenConsole, openConsole } from './open-console.js';

const documents = readdirSync(new URL('../../../docs', import.meta.url)).filter((name) =>
  name.endsWith('.md'),
);
const phone = { viewport: { width: 390, height: 844 } };

describe.skipIf(!haveChromium() || !(await haveDefaultModels()))('Help', () => {
  let service: Service;
  let console: OpenConsole;
  beforeAll(async () => {
    service = await startService({ LYNCEUS_INFERENCE_PROCESSES: '1' });
    console = await openConsole(service);
  });
  afterAll(async () => {
    await console?.close();
    await service?.stop();
  });
  const contents = (page: Page) => page.getByRole('navigation', { name: 'Documents' });

  test('starts with the quick start, and links to every document', async () => {
    const { page, errors } = await console.open('/help');
    await page.getByRole('heading', { level: 1, name: 'Quick start' }).waitFor();
    expect(await contents(page).getByRole('link').count()).toBe(documents.length);
    await contents(page).getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    expect(errors).toEqual([]);
    await page.close();
  });

  test('shows images, and follows a link to a heading of another document, below the head of the page', async () => {
    const { page, errors } = await console.open('/help/quick-start');
    const image = page.getByRole('img', { name: /^Try it/ });
    await image.waitFor();
    await expect
      .poll(() => image.evaluate((image: { naturalWidth: number }) => image.naturalWidth))
      .toBeGreaterThan(600);
    await page.goto(`${service.url}/help/moving`);
    await page.getByRole('link', { name: 'operation.md' }).first().click();
    const heading = page.getByRole('heading', { name: 'Behind TLS' });
    const head = await page.getByRole('banner').boundingBox();
    await expect.poll(async () => (await heading.boundingBox())?.y).toBeLessThan(200);
    expect((await heading.boundingBox())?.y).toBeGreaterThan(head?.height ?? 0);
    expect(errors).toEqual([]);
    await page.close();
  });

  test('on a phone a select above the text opens documents, and nothing is wider than the window', async () => {
    const { page, errors } = await console.open('/help', phone);
    const choice = page.getByRole('combobox', { name: 'Document' });
    await choice.click();
    await page.getByRole('option', { name: 'Licences' }).click();
    await page.getByRole('heading', { level: 1, name: 'Licences' }).waitFor();
    expect(await contents(page).isVisible()).toBe(false);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
      phone.viewport.width,
    );
    expect(errors).toEqual([]);
    await page.close();
  });

  test('the search filters documents by words', async () => {
    const { page } = await console.open('/help');
    await page.getByRole('searchbox').fill('save_images_to_db');
    await expect
      .poll(() => contents(page).getByRole('link').allTextContents())
      .toEqual(['Migrating to Lynceus']);
    await page.getByRole('searchbox').fill('no such words anywhere');
    await page.getByRole('main').getByText('No document contains this.').waitFor();
    await page.close();
  });

  // In this file since a service is running here.
  test('the first pages load less than 240 kB of script by gzip, the sign-in less than 210', async () => {
    const [signedIn] = console.browser.contexts();
    if (!signedIn) throw new Error('nobody is signed in');
    const storageState = await signedIn.storageState();
    const first = await measurePage(console.browser, service.url, firstPage, { storageState });
    const signInMeasure = await measurePage(console.browser, service.url, signInPage);
    expect(first.scriptBytes).toBeGreaterThan(100_000);
    expect(first.scriptBytes).toBeLessThan(240_000);
    expect(signInMeasure.scriptBytes).toBeLessThan(210_000);
    // Each file of a few hundred bytes is a request.
    expect(first.scripts).toBeLessThan(30);
  });
});
