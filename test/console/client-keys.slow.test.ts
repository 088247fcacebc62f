import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '#bench/service.js';
import { haveChromium } from '../support/chromium.js';
import { haveDefaultModels } from '../support/default-models.js';
import { sample } from '../support/sample.js';
import { askAs, type OpenConsole, openConsole } from './open-console.js';

const isHere = haveChromium() && (await haveDefaultModels());

describe.skipIf(!isHere)(
  'keys for clients of other services on the web account',
  { timeout: 180_000 },
  () => {
    let service: Service;
    let console: OpenConsole;
    beforeAll(async () => {
      service = await startService({});
      console = await openConsole(service);
    }, 120_000);
    afterAll(async () => {
      await console?.close();
      await service?.stop();
    });

    test('one for Frigate is shown with the lines to paste, which find the sign', async () => {
      const { page, errors } = await console.open('/keys');
      await page.getByRole('button', { name: 'Create a key' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'Name' }).fill('cameras');
      await dialog.getByRole('combobox', { name: 'Use it for' }).click();
      await page.getByRole('option', { name: 'Frigate' }).click();
      await dialog.getByRole('button', { name: 'Create the key' }).click();
      const lines = await dialog
        .getByRole('region', { name: 'In the configuration of the client' })
        .innerText();
      const [, url = ''] = /api_url: (\S+)/.exec(lines) ?? [];
      const [, key = ''] = /api_key: (\S+)/.exec(lines) ?? [];
      const form = new FormData();
      form.append('image', new Blob([new Uint8Array(sample)]), 'a.jpg');
      form.append('api_key', key);
      const answer = await fetch(url, { method: 'POST', body: form });
      expect(await answer.json()).toMatchObject({ success: true, predictions: [{ label: 'stop sign' }] });
      await dialog.getByRole('button', { name: 'I have copied it' }).click();
      await page
        .getByRole('row', { name: /cameras/ })
        .getByText('For DeepStack')
        .waitFor();
      expect(errors).toEqual([]);
      await page.context().close();
    });

    test('one for a client of CompreFace asks for the perception', async () => {
      const { page } = await console.open('/keys');
      await askAs(page, service.url, '/api/perceptions', { name: 'Household' });
      await page.getByRole('button', { name: 'Create a key' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'Name' }).fill('door');
      await dialog.getByRole('combobox', { name: 'Use it for' }).click();
      await page.getByRole('option', { name: 'A client of CompreFace' }).click();
      await dialog.getByRole('button', { name: 'Create the key' }).click();
      await dialog.getByText('Choose a perception').waitFor();
      await dialog.getByRole('combobox', { name: 'Perception' }).click();
      await page.getByRole('option', { name: 'Household' }).click();
      await dialog.getByRole('button', { name: 'Create the key' }).click();
      await dialog.getByText(/compreface:/).waitFor();
      const { data } = await askAs(page, service.url, '/api/keys');
      expect(data[0]).toMatchObject({ name: 'door', compat: { protocol: 'compreface' } });
      await page.context().close();
    });
  },
);
