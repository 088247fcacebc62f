import { tinyOnnx } from '@lynceus/server/dist/training/models/fixtures/tiny-onnx.js';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '#bench/service.js';
import { haveChromium } from '../support/chromium.js';
import { haveDefaultModels } from '../support/default-models.js';
import { drawShape, shapes } from '../support/drawn-shapes.js';
import { type OpenConsole, openConsole } from './open-console.js';

const imagesOfShape = 8;

describe.skipIf(!haveChromium() || !(await haveDefaultModels()))('models on the web account', () => {
  let service: Service;
  let browser: OpenConsole;
  let page: Page;
  let errors: string[];
  let datasetId: number;

  const call = async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
    const isForm = body instanceof FormData;
    const response = await fetch(service.url + path, {
      method,
      headers: { 'x-api-key': service.key, ...(isForm ? {} : { 'content-type': 'application/json' }) },
      body: isForm ? body : JSON.stringify(body),
    });
    return (await response.json()) as Body;
  };

  beforeAll(async () => {
    service = await startService({
      LYNCEUS_INFERENCE_PROCESSES: '1',
      LYNCEUS_RECOGNITION_PARTS: 'objects',
    });
    const dataset = await call<{ id: number }>('POST', '/api/datasets', {
      name: 'Shapes',
      task: 'classification',
    });
    datasetId = dataset.id;
    for (const [label, shape] of shapes.entries()) {
      const form = new FormData();
      for (let count = 0; count < imagesOfShape; count += 1) {
        const bytes = new Uint8Array(await drawShape(shape, label * 100 + count));
        form.append('file', new Blob([bytes]), `${shape}-${count}.png`);
      }
      await call('POST', `/api/datasets/${datasetId}/images?label=${shape}`, form);
    }
    browser = await openConsole(service);
    ({ page, errors } = await browser.open(`/datasets/${datasetId}`));
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  test('a model is trained from a dataset: shows its progress and its report, and predicts', async () => {
    await page.getByRole('button', { name: 'Train a model' }).click();
    await page.getByRole('switch', { name: 'Also learn “none of these”' }).check();
    await page.getByRole('button', { name: 'Start the training' }).click();
    await page.getByRole('heading', { name: 'Shapes' }).waitFor();
    await page.getByText('A training run is in progress').waitFor();
    await page.getByText(/^\d+ of 24/).waitFor();
    await page.getByText('Version 1 is ready').waitFor({ timeout: 120_000 });
    await page.getByText('Version 1 is active').waitFor();

    await page.getByRole('link', { name: 'Report' }).click();
    await page.getByRole('heading', { name: 'Confusion matrix' }).waitFor();
    for (const shape of shapes) await page.getByRole('cell', { name: shape }).first().waitFor();
    const link = page.getByRole('link', { name: 'Download (ONNX)' });
    const onnx = await fetch((await link.getAttribute('href')) ?? '', {
      headers: { 'x-api-key': service.key },
    });
    expect((await onnx.arrayBuffer()).byteLength).toBeGreaterThan(1_000_000);

    await page.getByRole('link', { name: 'Try it', exact: true }).last().click();
    const buffer = await drawShape('star', 999);
    await page.locator('input[type=file]').setInputFiles({ name: 'star.png', mimeType: 'image/png', buffer });
    const found = page.getByRole('region', { name: 'Classes' }).getByRole('button');
    await expect.poll(() => found.first().innerText()).toContain('star');
  }, 300_000);

  test('another version is trained, compared with the first, activated, and the first deleted', async () => {
    await page.goto(`${service.url}/models/1001`);
    await page.getByRole('button', { name: 'Train', exact: true }).click();
    await page.getByRole('switch', { name: 'Activate the version when it is ready' }).uncheck();
    await page.getByRole('button', { name: 'Start the training' }).click();
    await page.getByText('Version 2 is ready').waitFor({ timeout: 120_000 });
    await page.getByText('Version 1 is active').waitFor();

    await page.getByRole('tab', { name: 'Compare' }).click();
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByText(/correct only in version 1, \d+ only in version 2/).waitFor({ timeout: 120_000 });

    await page.getByRole('tab', { name: 'Versions' }).click();
    await page.getByRole('button', { name: 'Activate' }).click();
    await page.getByText('Version 2 is active').first().waitFor();
    const { page: before } = await browser.open('/models/1001/versions/1');
    await before.getByRole('link', { name: 'Download (ONNX)' }).waitFor();
    await page.getByRole('button', { name: 'Actions on version 1' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => page.getByRole('link', { name: 'Version 1' }).count()).toBe(0);

    await before.getByRole('link', { name: 'Download (ONNX)' }).click();
    await before.getByRole('alert').filter({ hasText: 'has no version 1' }).waitFor();
    await before.context().close();
  });

  test('a training run is cancelled', async () => {
    await page.goto(`${service.url}/models/1001`);
    await page.getByRole('button', { name: 'Train', exact: true }).click();
    await page.getByRole('button', { name: 'Start the training' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('tab', { name: 'Training runs' }).click();
    await page.getByText('Cancelled').waitFor();
    await expect.poll(() => page.getByText('A training run is in progress').count()).toBe(0);
  });

  test('a model is uploaded, and the page shows how it was read; a file that is not a model is refused with a reason', async () => {
    await page.goto(`${service.url}/models`);
    await page.getByRole('button', { name: 'Create a model' }).click();
    await page.getByLabel('Name').fill('Uploaded');
    await page.getByLabel('Classification').check();
    await page.getByRole('button', { name: 'Create the model' }).click();
    await page.getByRole('heading', { name: 'Uploaded' }).waitFor();
    await page.getByRole('button', { name: 'Upload a file' }).first().click();
    await page.getByRole('button', { name: 'Upload and try it' }).waitFor();
    const give = async (name: string, buffer: Buffer) => {
      const file = { name, mimeType: 'application/octet-stream', buffer };
      await page.locator('input[type=file]').last().setInputFiles(file);
      await page.getByRole('button', { name: 'Upload and try it' }).click();
    };
    await give('no.onnx', Buffer.from('this is no model'));
    await page.getByText('The file cannot be used').waitFor({ timeout: 120_000 });
    await page.getByLabel('Classes').fill('dark\nlight');
    await give('tiny.onnx', tinyOnnx());
    await page.getByText('Version 1 is ready').waitFor({ timeout: 120_000 });
    await page.getByText('Read as onnx from tiny.onnx: 2 classes.').waitFor();
    await page.getByRole('link', { name: 'Open it' }).click();
    await page.getByRole('heading', { name: 'How the file was read' }).waitFor();
    await page.getByLabel('Classes').fill('night\nday');
    await page.getByRole('button', { name: 'Create another version' }).click();
    await page.getByRole('heading', { name: 'Version 2' }).waitFor({ timeout: 120_000 });
    await page.getByText('night', { exact: true }).first().waitFor();
    expect(errors.filter((text) => !/422/.test(text))).toEqual([]);
  });
});
