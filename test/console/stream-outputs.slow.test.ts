import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAsk } from '#bench/ask.js';
import { type Service, startService } from '#bench/service.js';
import { haveChromium } from '../support/chromium.js';
import { type OpenConsole, openConsole } from './open-console.js';

describe.skipIf(!haveChromium())('outputs of events on the web account', { timeout: 300_000 }, () => {
  let service: Service;
  let console: OpenConsole;
  let page: Page;
  let errors: string[];
  let ask: ReturnType<typeof createAsk>;
  let receiver: Server;
  let url: string;
  let status = 200;
  const received: unknown[] = [];

  beforeAll(async () => {
    receiver = createServer(async (request, response) => {
      received.push(await json(request));
      response.writeHead(status).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events`;
    service = await startService({
      LYNCEUS_INFERENCE_PROCESSES: '1',
      LYNCEUS_DELIVERY_ALLOWED_NETWORKS: '127.0.0.0/8',
    });
    ask = createAsk(service);
    console = await openConsole(service);
    ({ page, errors } = await console.open('/stream-outputs'));
  }, 300_000);
  afterAll(async () => {
    await console?.close();
    await service?.stop();
    receiver?.close();
  });

  const button = (name: string, within: Page | Locator = page): Locator =>
    within.getByRole('button', { name, exact: true });
  const field = (name: string): Locator => page.getByRole('textbox', { name, exact: true });
  const choose = async (item: string): Promise<void> => {
    await page.getByRole('button', { name: /^Actions on / }).click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
  };
  const read = (): Promise<object> => ask('GET', '/api/stream-outputs/1001');

  test('one is added, after the address is corrected where it stands, and its key is shown once', async () => {
    await page.getByText('No outputs yet').waitFor();
    await button('Add an output').click();
    await field('Name').fill('Night watch');
    await field('Address').fill('ftp://127.0.0.1/events');
    await button('Add the output').click();
    await page.getByText('An http or https address without user name and query is required.').waitFor();
    // That its port is none, the service alone says.
    await field('Address').fill('http://127.0.0.1:99999/events');
    await button('Add the output').click();
    await page.getByText('Must be an address whose host and port can be').waitFor();
    expect(await field('Address').getAttribute('aria-invalid')).toBe('true');
    await field('Address').fill(url);
    await button('Add the output').click();
    await page.getByText('The key of the signatures of “Night watch”').waitFor();
    await button('I have copied it').click();
    await page.getByText('Works', { exact: true }).waitFor();
  });

  test('a test says that an event arrived, or what the receiver answered', async () => {
    await choose('Test');
    await page.getByText('It works').waitFor();
    expect(received).toEqual([expect.objectContaining({ kind: 'test' })]);
    status = 401;
    await button('Test again').click();
    await page.getByText('The receiver answers HTTP 401').waitFor();
    await page.keyboard.press('Escape');
    status = 200;
  });

  test('a fault behind a closed heading is shown', async () => {
    await choose('Change');
    await button('More settings').click();
    await field('Key of the signatures').fill('short');
    await button('More settings').click();
    await expect.poll(() => field('Key of the signatures').isVisible()).toBe(false);
    await button('Save').click();
    await page.getByText('At least 16 characters are required.').waitFor();
    await field('Key of the signatures').fill('');
    await field('Certificate').fill('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----');
    await button('More settings').click();
    await button('Save').click();
    await page.getByText('Certificate cannot be read').waitFor();
    await field('Certificate').fill('');
  });

  test('it is changed, and its secrets stay', async () => {
    await field('Name').fill('Day watch');
    await button('Events to send').click();
    await page.getByRole('combobox', { name: 'Classes' }).fill('dog');
    await page.keyboard.press('Enter');
    await button('Save').click();
    await page.getByText('Saved. It applies to the next event.').waitFor();
    await page.getByRole('table').getByText('Day watch').waitFor();
    expect(await read()).toMatchObject({
      name: 'Day watch',
      secrets: ['signing_key'],
      settings: { url, labels: ['dog'], certificate: null },
    });
  });

  test('it is disabled, and deleted once that is confirmed', async () => {
    await choose('Disable');
    await page.getByText('Disabled', { exact: true }).waitFor();
    expect(await read()).toMatchObject({ enabled: false });
    await choose('Delete');
    const question = page.getByRole('dialog', { name: 'Delete “Day watch”?' });
    await button('Cancel', question).click();
    await question.waitFor({ state: 'detached' });
    expect(await read()).toMatchObject({ name: 'Day watch' });
    await choose('Delete');
    await button('Delete', question).click();
    await page.getByText('No outputs yet').waitFor();
    await expect(read()).rejects.toThrow('404');
  });

  test('of topics an MQTT broker needs a beginning', async () => {
    await button('Add an output').click();
    await page.getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'MQTT broker' }).click();
    await field('Name').fill('Broker');
    await field('Address').fill('mqtt://127.0.0.1');
    await button('More settings').click();
    await field('Beginning of the topics').fill('');
    await button('More settings').click();
    await button('Add the output').click();
    await page.getByText('This field is required.').waitFor();
    await field('Beginning of the topics').fill('a/#');
    await button('Add the output').click();
    await page.getByText('Must be a beginning').waitFor();
    expect(await field('Beginning of the topics').getAttribute('aria-invalid')).toBe('true');
    await field('Beginning of the topics').fill('house');
    await button('Add the output').click();
    await page.getByRole('table').getByText('mqtt://127.0.0.1').waitFor();
    expect(errors.filter((error) => !/status of 400/.test(error))).toEqual([]);
  });
});
