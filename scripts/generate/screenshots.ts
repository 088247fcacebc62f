import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { freePort } from '#bench/free-port.js';
import { fillAccount } from '#bench/look/sample-account.js';
import { startService } from '#bench/service.js';
import { openWindows } from './open-windows.js';

const folder = fileURLToPath(new URL('../../../docs/images/', import.meta.url));
/** Where Debian puts it. */
const chromiumPath = '/usr/bin/chromium';

interface Shot {
  /** Of the file in docs/images, and by which `--only` names it. */
  readonly name: string;
  readonly path: string;
  /** Waits until the subject of the image is visible. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

const shots: readonly Shot[] = [
  {
    name: 'try',
    path: '/',
    prepare: async (page) => {
      await page.getByText('Take this one').click();
      await page.getByText(/\d+ findings?/).waitFor();
    },
  },
  { name: 'faces', path: '/faces/1001', prepare: (page) => page.getByText('Ada Lovelace').first().waitFor() },
  { name: 'datasets', path: '/datasets/1001' },
  {
    name: 'labelling',
    path: '/datasets/1002/label',
    // The newest is not labelled yet: the one before it has its box.
    prepare: async (page) => {
      await page.getByRole('group', { name: /^Boxes on/ }).waitFor();
      await page.keyboard.press('PageDown');
      await page.getByRole('button', { name: /by \d+ pixels/ }).click();
    },
  },
  { name: 'models', path: '/models/1002' },
  {
    name: 'training',
    path: '/models/1002/versions/1',
    prepare: (page) => page.getByText('Confusion matrix').waitFor(),
  },
  { name: 'drop', path: '/drops/1001', prepare: (page) => page.getByText('IMG_0412.jpg').first().waitFor() },
  { name: 'files', path: '/files' },
  { name: 'usage', path: '/usage' },
  { name: 'keys', path: '/keys' },
];

/** The images of docs/images that show the page, of a service with an account of drawings. */
export async function takeScreenshots({ only }: { readonly only?: string }): Promise<void> {
  const chosen = shots.filter(({ name }) => only === undefined || only.split(',').includes(name));
  if (chosen.length === 0) throw new Error(`--only takes ${shots.map(({ name }) => name).join(', ')}`);
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-screenshots-'));
  const ftpPort = await freePort();
  const service = await startService({
    LYNCEUS_FTP_PORT: String(ftpPort),
    LYNCEUS_FTP_PASSIVE_PORTS: '0-0',
    LYNCEUS_DROP_FOLDERS: dir,
    LYNCEUS_KEEP_IMAGES: 'true',
  });
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
  try {
    await fillAccount(service, ftpPort, dir);
    const windows = await openWindows(browser, service);
    for (const { name, path, prepare } of chosen) {
      const page = await windows.newPage();
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await prepare?.(page);
      await settle(page);
      const file = join(folder, `${name}.webp`);
      await sharp(await page.screenshot())
        .webp({ quality: 82, effort: 6 })
        .toFile(file);
      console.log(`${file} ${Math.ceil((await stat(file)).size / 1000)} kB`);
      await page.close();
    }
  } finally {
    await browser.close();
    await service.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

/** No request is pending, images are drawn, and animations have ended. */
async function settle(page: Page): Promise<void> {
  await page.locator('.mantine-Loader-root').first().waitFor({ state: 'detached' });
  await page.waitForTimeout(1500);
}
