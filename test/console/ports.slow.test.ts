import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAsk } from '#bench/ask.js';
import { freePort } from '#bench/free-port.js';
import { type Service, startService } from '#bench/service.js';
import { haveChromium } from '../support/chromium.js';
import { type OpenConsole, openConsole } from './open-console.js';

describe.skipIf(!haveChromium())('ports for clients without a key', { timeout: 300_000 }, () => {
  let service: Service;
  let console: OpenConsole;
  let page: Page;
  let errors: string[];
  let port: number;

  beforeAll(async () => {
    port = await freePort();
    service = await startService({
      LYNCEUS_INFERENCE_PROCESSES: '1',
      LYNCEUS_COMPAT_LISTENER_PORTS: String(port),
    });
    const ask = createAsk(service);
    await ask('POST', '/api/keys', { name: 'Old cameras', compat: { protocol: 'deepstack' } });
    console = await openConsole(service);
    ({ page, errors } = await console.open('/admin/listeners'));
  }, 300_000);
  afterAll(async () => {
    await console?.close();
    await service?.stop();
  });

  const button = (name: string, within: Page | Locator = page): Locator =>
    within.getByRole('button', { name, exact: true });
  const field = (name: string): Locator => page.getByRole('textbox', { name, exact: true });
  const networks = (): Locator => page.getByRole('combobox', { name: 'Allowed networks' });
  const openPort = () => button('Open the port').click();
  const fill = async (network: string) => {
    await button('Open a port').click();
    await page.getByRole('combobox', { name: 'Key' }).click();
    await page.getByRole('option', { name: 'Old cameras · DeepStack' }).click();
    await networks().fill(network);
    await page.keyboard.press('Enter');
    await field('Address of this machine').fill('127.0.0.1');
  };
  const answersHttp = async () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );

  test('what the service refuses is said at its field, until the port is open', async () => {
    await page.getByText('No ports are open').waitFor();
    await fill('192.168.1.300/24');
    await field('Port').fill('1');
    await openPort();
    await page.getByText('Port 1 is not one of the setting').waitFor();
    expect(await field('Port').getAttribute('aria-invalid')).toBe('true');
    await field('Port').fill(String(port));
    await openPort();
    await page.getByText('192.168.1.300/24 is no network such as').waitFor();
    await networks().press('Backspace');
    await networks().fill('127.0.0.0/8');
    await page.keyboard.press('Enter');
    await field('Address of this machine').fill('everywhere');
    await openPort();
    await page.getByText('Everywhere is no address of this machine').waitFor();
    await field('Address of this machine').fill('127.0.0.1');
    await openPort();
    await page.getByRole('table').getByText(`127.0.0.1:${port}`).waitFor();
    await page.getByText('Listening', { exact: true }).waitFor();
    await expect.poll(answersHttp).toBe(true);
  });

  test('a port that is open already is refused at its field', async () => {
    await fill('127.0.0.0/8');
    await openPort();
    await page.getByText('has a listener already').waitFor();
    expect(await field('Port').getAttribute('aria-invalid')).toBe('true');
    await page.keyboard.press('Escape');
  });

  test('a port is closed once that is confirmed', async () => {
    await button(`Close port ${port}`).click();
    const question = page.getByRole('dialog', { name: `Close port ${port}?` });
    await button('Cancel', question).click();
    await question.waitFor({ state: 'detached' });
    expect(await answersHttp()).toBe(true);
    await button(`Close port ${port}`).click();
    await question.getByRole('button', { name: 'Close', exact: true }).last().click();
    await page.getByText('No ports are open').waitFor();
    await expect.poll(answersHttp).toBe(false);
    expect(errors.filter((error) => !/status of 4\d\d/.test(error))).toEqual([]);
  });
});
