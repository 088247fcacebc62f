import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import type { ConsoleView } from './console-view.js';
import { findBarriers } from './find-barriers.js';
import { openViewers } from './open-viewers.js';
import { startFilled } from './start-filled.js';
import { views } from './views.js';
import { type Form, forms, openWindow, takeForm, visit } from './visit.js';

/** Where Debian puts it. */
const chromiumPath = '/usr/bin/chromium';

/** Takes screenshots of every page and window of the web account in every form, and lists what axe finds. */
export async function runLook({
  out,
  only,
}: {
  readonly out: string;
  readonly only: string | undefined;
}): Promise<void> {
  const wanted = only?.split(',');
  const chosen = views.filter(({ name }) => wanted === undefined || wanted.includes(name));
  if (chosen.length === 0) throw new Error(`--only takes ${views.map(({ name }) => name).join(', ')}`);
  await mkdir(out, { recursive: true });
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-look-'));
  const startedAt = performance.now();
  const service = await startFilled(dir);
  console.log(`filled in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
  try {
    const { pages, errors } = await openViewers(browser, service);
    for (const view of chosen) {
      const page = pages[view.viewer ?? 'administrator'];
      await look(page, view, out).catch((error: unknown) => console.log(`${view.name}: ${error}`));
      for (const error of errors.splice(0)) console.log(`${view.name}: ${error}`);
    }
  } finally {
    await browser.close();
    await service.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

async function look(page: Page, view: ConsoleView, out: string): Promise<void> {
  await takeForm(page, 'light');
  await visit(page, view);
  await photo(page, out, view.name, true);
  for (const window of view.windows ?? []) {
    const name = `${view.name}--${window.name}`;
    await openWindow(page, window);
    await photo(page, out, name, false);
    await visit(page, view);
  }
}

async function photo(page: Page, out: string, name: string, isWhole: boolean): Promise<void> {
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
