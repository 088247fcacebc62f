import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { findBarriers } from './find-barriers.js';
import { openEyes } from './open-eyes.js';
import type { Place } from './place.js';
import { places } from './places.js';
import { startFilled } from './start-filled.js';
import { type Form, forms, openWindow, takeForm, visit } from './visit.js';

/** Where Debian puts it. */
const chromiumPath = '/usr/bin/chromium';

/** Photographs every place and window of the web account in every form, and lists what axe finds. */
export async function runLook({
  out,
  only,
}: {
  readonly out: string;
  readonly only: string | undefined;
}): Promise<void> {
  const wanted = only?.split(',');
  const chosen = places.filter(({ name }) => wanted === undefined || wanted.includes(name));
  if (chosen.length === 0) throw new Error(`--only takes ${places.map(({ name }) => name).join(', ')}`);
  await mkdir(out, { recursive: true });
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-look-'));
  const startedAt = performance.now();
  const service = await startFilled(dir);
  console.log(`filled in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
  try {
    const { pages, errors } = await openEyes(browser, service);
    for (const place of chosen) {
      const page = pages[place.eyes ?? 'administrator'];
      await look(page, place, out).catch((error: unknown) => console.log(`${place.name}: ${error}`));
      for (const error of errors.splice(0)) console.log(`${place.name}: ${error}`);
    }
  } finally {
    await browser.close();
    await service.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

async function look(page: Page, place: Place, out: string): Promise<void> {
  await takeForm(page, 'light');
  await visit(page, place);
  await photograph(page, out, place.name, true);
  for (const window of place.windows ?? []) {
    const name = `${place.name}--${window.name}`;
    await openWindow(page, window);
    await photograph(page, out, name, false);
    await visit(page, place);
  }
}

async function photograph(page: Page, out: string, name: string, isWhole: boolean): Promise<void> {
  for (const form of Object.keys(forms) as Form[]) {
    await takeForm(page, form);
    await page.waitForTimeout(250);
    await page.screenshot({ path: join(out, `${name}.${form}.png`), fullPage: isWhole });
    for (const barrier of await findBarriers(page)) console.log(`${name}, ${form}: ${barrier}`);
    const wider: number = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    if (wider > 0) console.log(`${name}, ${form}: ${wider} px wider than the window`);
  }
  await takeForm(page, 'light');
}
