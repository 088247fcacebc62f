import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAsk } from '#bench/ask.js';
import { type Service, startService } from '#bench/service.js';
import { haveChromium } from '../support/chromium.js';
import { type OpenConsole, openConsole } from './open-console.js';

type Point = readonly [x: number, y: number];

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describe.skipIf(!haveChromium())('zones by a finger on a phone', { timeout: 300_000 }, () => {
  let service: Service;
  let console: OpenConsole;
  let page: Page;
  let errors: string[];
  let touch: CDPSession;
  let ask: ReturnType<typeof createAsk>;

  beforeAll(async () => {
    service = await startService({ LYNCEUS_INFERENCE_PROCESSES: '1' });
    ask = createAsk(service);
    const source = { kind: 'rtsp', address: 'rtsp://192.168.77.20/stream1' };
    await ask('POST', '/api/streams', { name: 'Yard', source, enabled: false });
    console = await openConsole(service);
    ({ page, errors } = await console.open('/streams/1001/zones', phone));
    touch = await page.context().newCDPSession(page);
    await page.getByRole('button', { name: 'Draw a zone' }).waitFor();
  }, 300_000);
  afterAll(async () => {
    await console?.close();
    await service?.stop();
  });

  const scrolled = () => page.evaluate<number>('scrollY');

  /** In pixels of the window, of fractions of the image. */
  const toPixels = async ([x, y]: Point): Promise<Point> => {
    const box = await page.getByRole('application').boundingBox();
    if (!box) throw new Error('the image is not there');
    return [box.x + x * box.width, box.y + y * box.height];
  };
  const showImage = () => page.getByRole('toolbar').evaluate((bar) => bar.scrollIntoView());
  const tap = async (at: Point, off: Point = [0, 0]) => {
    const [x, y] = await toPixels(at);
    await page.touchscreen.tap(x + off[0], y + off[1]);
  };
  /** Drags by one finger that comes down `off` pixels beside `from`, and says how far the page was scrolled by it. */
  const drag = async (from: Point, to: Point, off: Point = [0, 0]): Promise<number> => {
    const before = await scrolled();
    const [[startX, startY], [endX, endY]] = [await toPixels(from), await toPixels(to)];
    const at = (part: number) => [
      {
        x: startX + off[0] + (endX - startX) * part,
        y: startY + off[1] + (endY - startY) * part,
      },
    ];
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
    for (let part = 0.125; part <= 1; part += 0.125) {
      await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(part) });
    }
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    return (await scrolled()) - before;
  };
  /** The corners of the selected shape in percent of the image, as screen readers are told them. */
  const corners = async (): Promise<readonly Point[]> => {
    const names = await page
      .getByRole('button', { name: /^Corner \d/ })
      .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label') ?? ''));
    return names.map((name) => {
      const [, x = '', y = ''] = /, ([\d.]+)\s?% from the left, ([\d.]+)\s?% from/.exec(name) ?? [];
      return [Math.round(Number(x)), Math.round(Number(y))];
    });
  };

  test('taps set corners, and one near to the first closes the shape', async () => {
    await page.getByRole('button', { name: 'Draw a zone' }).tap();
    await showImage();
    for (const at of [
      [0.2, 0.2],
      [0.7, 0.2],
      [0.7, 0.7],
      [0.2, 0.7],
    ] satisfies Point[]) {
      await tap(at);
    }
    await tap([0.2, 0.2], [14, 14]);
    await expect.poll(corners).toEqual([
      [20, 20],
      [70, 20],
      [70, 70],
      [20, 70],
    ]);
  });

  test('a corner follows the finger, which need not meet its middle, and the page stays where it is', async () => {
    await showImage();
    expect(await drag([0.7, 0.7], [0.9, 0.9], [9, 9])).toBe(0);
    await expect.poll(async () => (await corners())[2]).toEqual([90, 90]);
  });

  test('a tap on the dot between two corners adds one, which can be dragged at once', async () => {
    await tap([0.45, 0.2]);
    await expect.poll(corners).toHaveLength(5);
    expect(await drag([0.2, 0.45], [0.1, 0.5])).toBe(0);
    await expect.poll(corners).toHaveLength(6);
    expect((await corners())[5]).toEqual([10, 50]);
    await page.getByRole('button', { name: 'Undo' }).tap();
    await expect.poll(corners).toHaveLength(5);
  });

  test('a tapped corner is deleted, down to three', async () => {
    const remove = page.getByRole('button', { name: 'Delete the corner' });
    await tap([0.45, 0.2]);
    await remove.tap();
    await expect.poll(corners).toHaveLength(4);
    await tap([0.2, 0.7]);
    await remove.tap();
    await expect.poll(corners).toHaveLength(3);
    expect(await remove.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Undo' }).tap();
    await expect.poll(corners).toHaveLength(4);
  });

  test('the selected shape is moved as a whole, and the page stays where it is', async () => {
    await showImage();
    expect(await drag([0.4, 0.4], [0.45, 0.45])).toBe(0);
    await expect.poll(corners).toEqual([
      [25, 25],
      [75, 25],
      [95, 95],
      [25, 75],
    ]);
  });

  test('a finger beside all shapes scrolls the page', async () => {
    await page.evaluate('scrollTo(0, 0)');
    await expect.poll(() => drag([0.1, 0.9], [0.1, 0.1])).toBeGreaterThan(20);
  });

  test('every tool is large enough for a finger', async () => {
    const sizes = await page
      .getByRole('toolbar')
      .getByRole('button')
      .evaluateAll((all) => all.map((each) => Math.min(each.clientHeight, each.clientWidth) + 2));
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(44);
  });

  test('what was drawn is saved', async () => {
    await page.getByRole('button', { name: 'Save', exact: true }).tap();
    await expect
      .poll(async () => {
        const { settings } = (await ask('GET', '/api/streams/1001')) as unknown as {
          settings: { zones: { polygon: unknown[] }[] };
        };
        return settings.zones.map(({ polygon }) => polygon.length);
      })
      .toEqual([4]);
    expect(errors).toEqual([]);
  });
});
