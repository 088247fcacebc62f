import { haveFfmpeg } from '@lynceus/server/dist/streams/fixtures/programs.js';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAsk } from '#bench/ask.js';
import { type SceneCamera, startSceneCamera } from '#bench/look/scene-camera.js';
import { type Service, startService } from '#bench/service.js';
import { haveChromium } from '../support/chromium.js';
import { haveDefaultModels } from '../support/default-models.js';
import { type OpenConsole, openConsole } from './open-console.js';

const canRun = haveChromium() && haveFfmpeg() && (await haveDefaultModels());

describe.skipIf(!canRun)('cameras on the web account', { timeout: 300_000 }, () => {
  let service: Service;
  let camera: SceneCamera;
  let console: OpenConsole;
  let page: Page;
  let errors: string[];
  let ask: ReturnType<typeof createAsk>;

  beforeAll(async () => {
    camera = await startSceneCamera();
    service = await startService({
      LYNCEUS_INFERENCE_PROCESSES: '1',
      LYNCEUS_STREAM_ALLOWED_NETWORKS: '127.0.0.0/8',
    });
    ask = createAsk(service);
    console = await openConsole(service);
    ({ page, errors } = await console.open('/streams'));
  }, 300_000);
  afterAll(async () => {
    await console?.close();
    await service?.stop();
    await camera?.stop();
  });

  test('a camera is tried and added, and shows its live image and what crosses it', async () => {
    await page.getByRole('button', { name: 'Add a camera' }).click();
    const window = page.getByRole('dialog', { name: 'Add a camera' });
    await window.getByRole('textbox', { name: 'Name' }).first().fill('Street');
    await window.getByRole('combobox', { name: 'Kind of source' }).click();
    await page.getByRole('option', { name: 'Motion JPEG over HTTP' }).click();
    await window.getByRole('textbox', { name: 'Address' }).fill(camera.address);
    await window.getByRole('button', { name: 'Test', exact: true }).click();
    await window.getByRole('img', { name: 'The frame that arrived' }).waitFor({ timeout: 60_000 });
    await window.getByRole('button', { name: 'Continue' }).click();
    await window.getByRole('button', { name: 'Add the camera' }).click();
    await page.getByRole('heading', { level: 1, name: 'Street' }).waitFor();
    const image = page.getByRole('img', { name: 'Live image of Street' });
    await expect
      .poll(() => image.first().evaluate((img) => Reflect.get(img, 'naturalWidth')), { timeout: 90_000 })
      .toBe(640);
    await page.getByText('stop sign').first().waitFor({ timeout: 90_000 });
  });

  test('a zone is drawn by the keyboard alone, and stored in fractions of the image', async () => {
    await page.getByRole('tab', { name: 'Zones and masks' }).click();
    await page.getByRole('button', { name: 'Draw a zone' }).click();
    const steps = ['Enter', 'ArrowRight', 'Enter', 'ArrowDown', 'Enter', 'Enter'];
    for (const key of steps) {
      for (let times = 0; times < (key.startsWith('Arrow') ? 12 : 1); times += 1)
        await page.keyboard.press(key);
    }
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect
      .poll(async () => {
        const { settings } = (await ask('GET', '/api/streams/1001')) as unknown as {
          settings: { zones: { name: string; polygon: [number, number][] }[] };
        };
        return settings.zones.map(({ polygon }) => polygon.length);
      })
      .toEqual([3]);
  });

  test('the page closes its connection to the live image when it is left', async () => {
    await page.getByRole('tab', { name: 'Live', exact: true }).click();
    await page.getByRole('img', { name: 'Live image of Street' }).first().waitFor();
    await page.goto(`${service.url}/keys`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await ask('PATCH', '/api/streams/1001', { enabled: false });
    await expect.poll(() => camera.viewers(), { timeout: 60_000 }).toBe(0);
    expect(errors).toEqual([]);
  });
});
