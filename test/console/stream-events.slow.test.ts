import { haveFfmpeg } from '@lynceus/server/dist/streams/fixtures/programs.js';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAsk } from '#bench/ask.js';
import { insertTracks, renderStreetFilm } from '#bench/look/stream-records.js';
import { type Service, startService } from '#bench/service.js';
import { haveChromium } from '../support/chromium.js';
import { haveDefaultModels } from '../support/default-models.js';
import { type OpenConsole, openConsole } from './open-console.js';

const canRun = haveChromium() && haveFfmpeg() && (await haveDefaultModels());
const hostile = '<img src=x onerror="document.title=1">';

describe.skipIf(!canRun)('events of streams on the web account', { timeout: 300_000 }, () => {
  let service: Service;
  let console: OpenConsole;
  let page: Page;
  let errors: string[];
  let ask: ReturnType<typeof createAsk>;

  beforeAll(async () => {
    service = await startService({ LYNCEUS_INFERENCE_PROCESSES: '1' });
    ask = createAsk(service);
    console = await openConsole(service);
    ({ page, errors } = await console.open('/stream-events'));
  }, 300_000);
  afterAll(async () => {
    await console?.close();
    await service?.stop();
  });
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });

  test('an object appears while the page is open', async () => {
    await page.getByText('No events yet').waitFor();
    const film = await renderStreetFilm();
    const { model_id } = await ask('POST', '/api/perceptions', { name: 'Staff' });
    const { id } = await ask('POST', `/api/perceptions/${model_id}/people`, { name: 'Ada' });
    const source = { kind: 'rtsp', address: 'rtsp://127.0.0.1:9/live' };
    const stream = await ask('POST', '/api/streams', { name: 'Entrance', source, enabled: false });
    const whose = {
      accountId: Number((await ask('GET', '/api/account'))['id']),
      streamId: Number(stream['id']),
    };
    const person = { personId: Number(id), name: 'Ada', score: 0.9 };
    await insertTracks(service, [
      { ...whose, label: hostile },
      {
        ...{ ...whose, person, zone: 'gate', snapshot: film.frame, clip: film.mp4 },
        kinds: ['start', 'zone_entered', 'person_recognised', 'end'],
      },
    ]);
    await row('Ada').getByText('Entrance').waitFor();
    await row('Ada').getByText('gate').waitFor();
    await row(hostile).waitFor();
    expect(await page.title()).toBe('Events · Lynceus');
  });

  test('it has its snapshot, its clip and its events', async () => {
    await page.getByRole('button', { name: 'Ada', exact: true }).click();
    const found = page.getByRole('dialog', { name: 'Ada' });
    const snapshot = found.getByRole('img', { name: 'Snapshot of Ada' });
    const width = () => snapshot.evaluate((img) => Reflect.get(img, 'naturalWidth'));
    await expect.poll(width).toBe(640);
    await found.getByRole('switch', { name: 'Show the box' }).click();
    await expect.poll(() => snapshot.getAttribute('src')).toContain('boxes=true');
    await expect.poll(width).toBe(640);
    for (const event of ['Appeared', 'Entered gate', 'Recognised as Ada', 'Left']) {
      await found.getByText(event, { exact: true }).waitFor();
    }
    const clip = found.locator('video');
    await expect.poll(() => clip.evaluate((video) => Reflect.get(video, 'duration'))).toBeGreaterThan(5);
    await clip.evaluate((video) => Reflect.set(video, 'currentTime', 4));
    await expect.poll(() => clip.evaluate((video) => Reflect.get(video, 'seeking'))).toBe(false);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      found.getByRole('link', { name: 'Download the clip' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.mp4$/);
  });

  test('the name is taken from it when it is somebody else', async () => {
    await page.getByRole('button', { name: 'Not Ada' }).click();
    await page
      .getByRole('dialog', { name: 'Is this not Ada?' })
      .getByRole('button', { name: 'Not Ada' })
      .click();
    await page.getByText('The name was removed.').first().waitFor();
    await page.getByRole('dialog', { name: 'person' }).waitFor();
    await expect.poll(() => row('Ada').count()).toBe(0);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  test('filters are in the address, and are cleared together', async () => {
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('combobox', { name: 'Zone' }).waitFor();
    await page.getByRole('combobox', { name: 'Class' }).fill('zebra');
    await page.getByText('No events found').waitFor();
    expect(page.url()).toContain('label=zebra');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await row('person').waitFor();
    expect(await page.getByRole('combobox', { name: 'Class' }).inputValue()).toBe('');
    await page.goto(`${service.url}/stream-events?zone=gate`);
    await row('person').waitFor();
    expect(await row('onerror').count()).toBe(0);
  });

  test('it is deleted with its files after a confirmation', async () => {
    await page.getByRole('button', { name: 'person', exact: true }).click();
    await page.getByRole('dialog', { name: 'person' }).getByRole('button', { name: 'Delete' }).click();
    await page
      .getByRole('dialog', { name: 'Delete this object?' })
      .getByRole('button', { name: 'Delete' })
      .click();
    await page.getByText('No events found').waitFor();
    // The image of what was deleted is asked for once more, if the list is read in between.
    expect(errors.filter((error) => !/status of 404/.test(error))).toEqual([]);
  });
});
