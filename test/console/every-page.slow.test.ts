import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { haveFfmpeg } from '@lynceus/server/dist/streams/fixtures/programs.js';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ViewWindow } from '#bench/look/console-view.js';
import { findBarriers } from '#bench/look/find-barriers.js';
import { type OpenViewers, openViewers } from '#bench/look/open-viewers.js';
import { startFilled } from '#bench/look/start-filled.js';
import { views } from '#bench/look/views.js';
import { openWindow, takeForm, visit } from '#bench/look/visit.js';
import type { Service } from '#bench/service.js';
import { chromiumPath, haveChromium } from '../support/chromium.js';
import { haveDefaultModels } from '../support/default-models.js';

/** The rules that depend on colours. */
const rulesOfColours = ['color-contrast', 'link-in-text-block'];
/** The rules that depend on the width of the window. */
const rulesOfWidth = ['scrollable-region-focusable', 'button-name', 'link-name', 'aria-hidden-focus'];
const widerThanWindow = 'document.documentElement.scrollWidth - innerWidth';

const canRun = haveChromium() && haveFfmpeg() && (await haveDefaultModels());

describe.skipIf(!canRun)('every page of the web account', () => {
  let dir: string;
  let service: Service;
  let browser: Browser;
  let viewers: OpenViewers;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lynceus-every-page-'));
    service = await startFilled(dir);
    browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
    viewers = await openViewers(browser, service);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await rm(dir, { recursive: true, force: true });
  });

  const numbered = views.filter(({ isVariant }) => !isVariant).map((view, number) => ({ ...view, number }));
  test.each(numbered)(
    '$name: no barrier, and the keyboard comes back from what opens',
    async ({ number, ...view }) => {
      const page = viewers.pages[view.viewer ?? 'administrator'];
      await takeForm(page, 'light');
      await visit(page, view);
      expect(await page.getByRole('heading', { level: 1 }).count()).toBeGreaterThan(0);
      expect(await page.title()).toMatch(/^.+ · Lynceus$/);
      expect(await findBarriers(page)).toEqual([]);
      // In turns, for the sake of the time: `bench -- look` looks at each in all three.
      expect(await (number % 2 === 0 ? findInDark(page) : findOnPhone(page))).toEqual([]);
      await takeForm(page, 'light');
      for (const window of view.windows ?? []) await lookInto(page, window);
      expect(viewers.errors.splice(0).filter((error) => !/status of [45]\d\d/.test(error))).toEqual([]);
    },
  );

  test('the keyboard skips the menu, and the focus is visible', async () => {
    const page = viewers.pages.administrator;
    await page.goto('/keys');
    await page.getByRole('button', { name: 'Create a key' }).waitFor();
    await page.keyboard.press('Tab');
    const skip = page.getByRole('button', { name: 'Skip to the content' });
    expect((await skip.boundingBox())?.y).toBeGreaterThanOrEqual(0);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Create a key');
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
  });

  async function findInDark(page: Page) {
    await takeForm(page, 'dark');
    return findBarriers(page, { rules: rulesOfColours });
  }

  async function findOnPhone(page: Page) {
    await takeForm(page, 'phone');
    await expect.poll(() => page.evaluate(widerThanWindow)).toBeLessThanOrEqual(0);
    return findBarriers(page, { rules: rulesOfWidth });
  }

  async function lookInto(page: Page, window: ViewWindow) {
    await openWindow(page, window);
    const within = '[role=dialog], [role=menu]';
    // `bench -- look` checks windows in the dark scheme and on a phone too.
    expect([window.name, await findBarriers(page, { within })]).toEqual([window.name, []]);
    await (window.close?.(page) ?? page.keyboard.press('Escape'));
    await expect.poll(() => page.locator(within).count()).toBe(0);
    // The focus returns to the button or the select that opened it.
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toMatch(/^(BUTTON|INPUT)$/);
  }
});
