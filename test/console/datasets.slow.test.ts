import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '#bench/service.js';
import { zipOf } from '#server/training/datasets/fixtures/zips.js';
import { haveChromium } from '../support/chromium.js';
import { drawShape } from '../support/drawn-shapes.js';
import { type OpenConsole, openConsole } from './open-console.js';

describe.skipIf(!haveChromium())('datasets on the web account', () => {
  let service: Service;
  let browser: OpenConsole;

  const drawings = async (count: number, name: (index: number) => string) =>
    Promise.all(
      Array.from({ length: count }, async (_, index) => ({
        name: name(index),
        mimeType: 'image/png',
        buffer: await drawShape('star', index * 3),
      })),
    );
  const make = async (body: object) => {
    const response = await fetch(`${service.url}/api/datasets`, {
      method: 'POST',
      headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()) as { id: number };
  };

  beforeAll(async () => {
    service = await startService({ LYNCEUS_INFERENCE_PROCESSES: '1' });
    browser = await openConsole(service);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  test('a dataset is created, images added, classes created and merged, and images deleted', async () => {
    const { page, errors } = await browser.open('/datasets');
    await page.getByText('No datasets yet').waitFor();
    await page.getByRole('button', { name: 'Create a dataset' }).click();
    await page.getByLabel('Name').fill('Shapes');
    await page.getByLabel('One class').check();
    await page.getByRole('button', { name: 'Create the dataset' }).click();
    await page.getByRole('heading', { name: 'Shapes' }).waitFor();

    await page.getByRole('button', { name: 'Add images' }).first().click();
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Choose images' }).click(),
    ]);
    const files = await drawings(12, (index) => `star-${index}.png`);
    const [first] = files;
    if (!first) throw new Error('nothing is drawn');
    await chooser.setFiles([
      ...files,
      { ...first, name: 'again.png' },
      { name: 'no.png', mimeType: 'image/png', buffer: Buffer.from('no image') },
    ]);
    await page.getByText('One class for all').click();
    await page.getByRole('combobox', { name: 'Class' }).fill('star');
    await page.getByRole('button', { name: 'Add 14 images' }).click();
    await page.getByText('12 images were added.').waitFor();
    await page.getByText('1 was there already.').waitFor();
    await page.getByText(/^no\.png: /).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('12 of 12 labelled').waitFor();

    await page.getByLabel('Search file names').fill('star-1');
    await expect.poll(() => page.getByRole('listitem').count()).toBe(3);
    await page.getByRole('checkbox', { name: 'Select star-11.png' }).check();
    await page.getByRole('checkbox', { name: 'Select star-1.png' }).click({ modifiers: ['Shift'] });
    await page.getByText('3 selected').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('9 of 9 labelled').waitFor();

    await page.getByRole('tab', { name: 'Classes (1)' }).click();
    await page.getByLabel('New class').fill('sun');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Actions on sun' }).click();
    await page.getByRole('menuitem', { name: 'Merge into another' }).click();
    await page.getByRole('combobox', { name: 'Into' }).click();
    await page.getByRole('option', { name: 'star' }).click();
    await page.getByRole('button', { name: 'Merge', exact: true }).click();
    await page.getByRole('tab', { name: 'Classes (1)' }).waitFor();
    expect(errors).toEqual([]);
  });

  test('an export is imported into another dataset, with a report', async () => {
    const { page } = await browser.open('/datasets');
    await page.getByRole('link', { name: 'Shapes' }).click();
    await page.getByRole('button', { name: 'More' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Folders, one per class' }).click(),
    ]);
    // The browser follows the link without the headers that a test adds to requests.
    const zip = await fetch(download.url(), { headers: { 'x-api-key': service.key } });
    await download.cancel();
    const { id } = await make({ name: 'Elsewhere', task: 'classification' });
    await page.goto(`${service.url}/datasets/${id}`);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Import a zip' }).click();
    await page
      .locator('input[type=file]')
      .last()
      .setInputFiles({
        name: 'shapes.zip',
        mimeType: 'application/zip',
        buffer: Buffer.from(await zip.arrayBuffer()),
      });
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText(/Imported as folders: 9 added, 0 were there already, 0 refused/).waitFor();
    await page.getByText('9 of 9 labelled').waitFor();
  });

  test('an import whose labels are lost ends with what was refused, with examples and all of it as a file', async () => {
    const { id } = await make({ name: 'Pixels', task: 'object_detection' });
    const { page, errors } = await browser.open(`/datasets/${id}`, { viewport: { width: 390, height: 844 } });
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Import a zip' }).click();
    const lines = Array.from({ length: 5 }, (_, at) => `0 ${300 + at} 240 90 90`).join('\n');
    const buffer = await zipOf({
      'data.yaml': 'names: [cell]',
      'a.png': await drawShape('circle', 99),
      'a.txt': lines,
    });
    const zip = { name: 'pixels.zip', mimeType: 'application/zip', buffer };
    await page.locator('input[type=file]').last().setInputFiles(zip);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Labels: 0 taken, 0 of them changed; 5 refused, 0 were there already.').waitFor();
    await page.getByText('0 of 1 labelled').waitFor();
    await page.getByText('and 2 more').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /^Download all \d findings$/ }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`import-${id}.csv`);
    await download.cancel();
    await page.getByRole('link', { name: 'a.png' }).first().click();
    await page.waitForURL(/\/label\?image=/);
    expect(errors).toEqual([]);
  });

  test('hostile names run no script and break no layout', async () => {
    const name = `<img src=x onerror=alert(1)>${'W'.repeat(150)}`;
    const { id } = await make({ name, task: 'object_detection' });
    const { page, errors } = await browser.open(`/datasets/${id}`, { viewport: { width: 390, height: 844 } });
    page.on('dialog', () => errors.push('a script ran'));
    await page.getByRole('heading', { name }).waitFor();
    await page.getByRole('button', { name: 'Add images' }).first().click();
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Choose images' }).click(),
    ]);
    await chooser.setFiles(await drawings(2, (index) => `<svg onload=alert(${index})>${'x'.repeat(90)}.png`));
    await page.getByRole('button', { name: 'Add 2 images' }).click();
    await page.getByText('2 images were added.').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => page.getByRole('listitem').count()).toBe(2);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    await page.getByRole('listitem').first().getByRole('link').click();
    await page.getByRole('group', { name: /^Boxes on/ }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    expect(errors).toEqual([]);
  });

  test('of many images only those near the window are in the page, and all can be reached', async () => {
    const { id } = await make({ name: 'Many', task: 'classification' });
    const sample = await readFile(new URL('../../../packages/server/assets/sample.jpg', import.meta.url));
    for (let from = 0; from < 240; from += 80) {
      const form = new FormData();
      for (let index = from; index < from + 80; index += 1) {
        // Bytes behind the end of a JPEG change nothing but its checksum.
        const bytes = Buffer.concat([sample, Buffer.from(String(index))]);
        form.append('file', new Blob([new Uint8Array(bytes)]), `many-${index}.jpg`);
      }
      const answer = await fetch(`${service.url}/api/datasets/${id}/images`, {
        method: 'POST',
        headers: { 'x-api-key': service.key },
        body: form,
      });
      expect(answer.ok).toBe(true);
    }
    const { page } = await browser.open(`/datasets/${id}`);
    await page.getByText('Images (240)').waitFor();
    await page.getByText('many-239.jpg').waitFor();
    await page.mouse.move(700, 600);
    const counts: number[] = [];
    // The list grows page by page: it is scrolled until its last image is there, however long a page takes.
    await expect
      .poll(
        async () => {
          await page.mouse.wheel(0, 1200);
          counts.push(await page.getByRole('listitem').count());
          return page.getByText('many-0.jpg', { exact: true }).isVisible();
        },
        { timeout: 60_000 },
      )
      .toBe(true);
    expect(Math.max(...counts)).toBeLessThan(90);
    await page.getByText('many-0.jpg', { exact: true }).click();
    await page.getByRole('heading', { name: 'many-0.jpg' }).waitFor();
  });
});
