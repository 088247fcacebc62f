import { readFile } from 'node:fs/promises';
import { haveFfmpeg } from '@lynceus/server/dist/streams/fixtures/programs.js';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderStreetFilm } from '#bench/look/stream-records.js';
import { type Service, startService } from '#bench/service.js';
import { haveChromium } from '../support/chromium.js';
import { haveDefaultModels } from '../support/default-models.js';
import { type OpenConsole, openConsole } from './open-console.js';

const canRun = haveChromium() && haveFfmpeg() && (await haveDefaultModels());

describe.skipIf(!canRun)('videos on the web account', { timeout: 300_000 }, () => {
  let service: Service;
  let console: OpenConsole;
  let page: Page;
  let errors: string[];
  let mp4: Buffer;

  beforeAll(async () => {
    ({ mp4 } = await renderStreetFilm());
    service = await startService({ LYNCEUS_INFERENCE_PROCESSES: '1' });
    console = await openConsole(service);
    ({ page, errors } = await console.open('/videos'));
  }, 300_000);
  afterAll(async () => {
    await console?.close();
    await service?.stop();
  });
  const atSeconds = () => page.locator('video').evaluate((video) => Reflect.get(video, 'currentTime'));

  test('a file is sent, and analysed while its page is open', async () => {
    await page.getByText('No videos yet').waitFor();
    await page.getByRole('button', { name: 'Add a video' }).click();
    const adding = page.getByRole('dialog', { name: 'Add a video' });
    await adding.getByRole('button', { name: 'Add the video' }).click();
    await adding.getByText('Choose a file.').waitFor();
    const file = { name: 'street.mp4', mimeType: 'video/mp4', buffer: mp4 };
    await adding.locator('input[type=file]').setInputFiles(file);
    await adding.getByText('street.mp4 (').waitFor();
    await adding.getByRole('checkbox', { name: 'Texts' }).check();
    await adding.getByRole('button', { name: 'Add the video' }).click();
    await page.getByRole('heading', { name: 'street.mp4', level: 1 }).waitFor();
    await page.getByRole('region', { name: 'Timeline' }).waitFor();
  });

  test('a click and the keyboard jump to a find', async () => {
    const span = page.getByRole('group', { name: 'stop sign' }).getByRole('button').first();
    await span.click();
    await expect.poll(atSeconds).toBeGreaterThan(0);
    const found = page.getByRole('region', { name: 'Finds' }).getByRole('button', { name: /^stop sign/ });
    const image = found.locator('img').first();
    await expect.poll(() => image.evaluate((img) => Reflect.get(img, 'naturalWidth'))).toBeGreaterThan(0);
    await page.locator('video').evaluate((video) => Reflect.set(video, 'currentTime', 0));
    await expect.poll(atSeconds).toBe(0);
    await found.first().focus();
    await page.keyboard.press('Enter');
    await expect.poll(atSeconds).toBeGreaterThan(0);
    await page.getByTitle('Show only finds of STOP', { exact: true }).click();
    await page.getByRole('heading', { name: 'Finds: STOP' }).waitFor();
    await page.getByRole('button', { name: 'Show all finds' }).click();
  });

  test('captions say what is seen, and are switched off and on', async () => {
    const mode = () =>
      page.locator('video').evaluate((video) => Reflect.get(Reflect.get(video, 'textTracks')[0], 'mode'));
    const cues = () =>
      page
        .locator('video')
        .evaluate((video) => Reflect.get(video, 'textTracks')[0].cues?.[0]?.text ?? 'none yet');
    expect(await mode()).toBe('showing');
    await expect.poll(cues).toContain('stop sign');
    await page.getByRole('switch', { name: 'Captions: what is seen' }).click();
    await expect.poll(mode).toBe('hidden');
  });

  test('the timeline is downloaded for other programs', async () => {
    for (const [name, content] of [
      ['Timeline as JSON', '"label":"stop sign"'],
      ['Timeline as CSV', 'stop sign'],
      ['Captions as WebVTT', 'WEBVTT'],
    ] as const) {
      await page.getByRole('button', { name: 'Download' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name }).click(),
      ]);
      expect(await readFile(await download.path(), 'utf8')).toContain(content);
    }
  });

  test('it is analysed again with other settings, and its timeline is shown meanwhile', async () => {
    await page.getByRole('button', { name: 'Analyse again' }).click();
    const again = page.getByRole('dialog', { name: 'Analyse “street.mp4” again' });
    expect(await again.getByRole('checkbox', { name: 'Texts' }).isChecked()).toBe(true);
    await again.getByRole('checkbox', { name: 'Texts' }).uncheck();
    await again.getByRole('button', { name: 'Analyse', exact: true }).click();
    await page.getByText('The video is analysed again.').waitFor();
    await page.getByRole('region', { name: 'Timeline' }).waitFor();
    await page.getByRole('button', { name: 'Analyse again' }).waitFor();
    await expect.poll(() => page.getByTitle('Show only finds of STOP', { exact: true }).count()).toBe(0);
    await page.getByRole('group', { name: 'stop sign' }).waitFor();
  });

  test('a file that is dropped on the list is added, and one that is no video fails with a reason', async () => {
    await page.getByRole('link', { name: 'Videos' }).first().click();
    await page.getByRole('link', { name: 'street.mp4' }).waitFor();
    const dropped = await page.evaluateHandle(`{
      const transfer = new DataTransfer();
      transfer.items.add(new File(['no video'], 'notes.mp4', { type: 'video/mp4' }));
      transfer;
    }`);
    await page.getByRole('heading', { level: 1 }).dispatchEvent('drop', { dataTransfer: dropped });
    const adding = page.getByRole('dialog', { name: 'Add a video' });
    await adding.getByText('notes.mp4 (').waitFor();
    await adding.getByRole('button', { name: 'Add the video' }).click();
    await adding.getByRole('alert').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  test('a video is deleted after a confirmation', async () => {
    await page.getByRole('link', { name: 'street.mp4' }).click();
    await page.getByRole('button', { name: 'Video actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete the video' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No videos yet').waitFor();
    // What is no video was refused.
    expect(errors.filter((error) => !/status of 4\d\d/.test(error))).toEqual([]);
  });
});
