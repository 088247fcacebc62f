import { haveFfmpeg } from '@lynceus/server/dist/streams/fixtures/programs.js';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAsk } from '#bench/ask.js';
import { renderStreetFilm } from '#bench/look/stream-records.js';
import { type Service, startService } from '#bench/service.js';
import { haveChromium } from '../support/chromium.js';
import { type OpenConsole, openConsole } from './open-console.js';

const canRun = haveChromium() && haveFfmpeg();

describe.skipIf(!canRun)('the source of a camera on the web account', { timeout: 300_000 }, () => {
  let service: Service;
  let console: OpenConsole;
  let page: Page;
  let errors: string[];
  let ask: ReturnType<typeof createAsk>;

  beforeAll(async () => {
    service = await startService({ LYNCEUS_INFERENCE_PROCESSES: '1' });
    ask = createAsk(service);
    const source = { kind: 'rtsp', address: 'rtsp://192.168.77.20/stream1', username: 'viewer' };
    await ask('POST', '/api/streams', { name: 'Yard', source: { ...source, password: 'p' }, enabled: false });
    console = await openConsole(service);
    ({ page, errors } = await console.open('/streams/1001/source'));
  }, 300_000);
  afterAll(async () => {
    expect(errors).toEqual([]);
    await console?.close();
    await service?.stop();
  });

  const sourceOf = async () => {
    const { source } = (await ask('GET', '/api/streams/1001')) as unknown as { source: object };
    return source;
  };
  const field = (name: string): Locator => page.getByRole('textbox', { name, exact: true });
  const save = () => page.getByRole('button', { name: 'Save', exact: true }).click();

  test('the second stream has an address, a user name and a password of its own', async () => {
    await page.getByRole('button', { name: 'More settings' }).click();
    await page.getByLabel('Analyse a second, smaller stream').check();
    await save();
    await page.getByText('This field is required.').waitFor();
    await field('Address of the second stream').fill('rtsp://192.168.77.21/small');
    await field('User name of the second stream').fill('small');
    await field('Password of the second stream').fill('another');
    await save();
    await expect.poll(sourceOf).toMatchObject({
      username: 'viewer',
      has_password: true,
      substream: { address: 'rtsp://192.168.77.21/small', username: 'small', has_password: true },
    });
  });

  test('a password that is stored is kept, and one that another host would get is asked for again', async () => {
    await page.reload();
    const password = field('Password of the second stream');
    await expect.poll(() => password.getAttribute('placeholder')).toMatch(/^Stored/);
    await field('Address of the second stream').fill('rtsp://192.168.77.22/small');
    await page.getByText('Enter it again').waitFor();
    expect(await password.getAttribute('placeholder')).toBeNull();
    await field('Address of the second stream').fill('rtsp://192.168.77.21/smaller');
    await save();
    await expect.poll(sourceOf).toMatchObject({
      has_password: true,
      substream: { address: 'rtsp://192.168.77.21/smaller', has_password: true },
    });
  });

  test('an address that the service refuses is marked where it stands', async () => {
    await field('Address of the second stream').fill('rtsp://192.168.77.21:port/');
    await save();
    await page.getByText('has no valid host or port').waitFor();
    expect(await field('Address of the second stream').getAttribute('aria-invalid')).toBe('true');
    // The browser reports the refusal.
    expect(errors.splice(0)).toEqual([expect.stringContaining('400')]);
  });

  test('a video is chosen by its name, which the page of the camera shows', async () => {
    const { mp4 } = await renderStreetFilm(2);
    for (const name of ['street.mp4', 'twice.mp4', 'twice.mp4']) {
      const form = new FormData();
      form.set('name', name);
      form.set('file', new File([new Uint8Array(mp4)], name));
      await ask('POST', '/api/videos', form);
    }
    await page.reload();
    await page.getByRole('combobox', { name: 'Kind of source' }).click();
    await page.getByRole('option', { name: 'An uploaded video, repeated' }).click();
    await save();
    await page.getByText('This field is required.').waitFor();
    const video = page.getByRole('combobox', { name: 'Video', exact: true });
    await video.click();
    expect(await page.getByRole('option').allInnerTexts()).toEqual(
      expect.arrayContaining(['street.mp4', 'twice.mp4 (1002)', 'twice.mp4 (1003)']),
    );
    await video.fill('stre');
    await page.getByRole('option', { name: 'street.mp4' }).click();
    await save();
    await expect.poll(sourceOf).toMatchObject({ kind: 'video', video_id: 1001 });
    await page.getByRole('tab', { name: 'Live', exact: true }).click();
    await page.getByRole('link', { name: 'street.mp4' }).waitFor();
  });
});
