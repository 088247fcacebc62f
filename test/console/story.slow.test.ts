import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Box, boxIou } from '@lynceus/engine';
import { type Browser, chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freePort } from '#bench/free-port.js';
import { type Service, startService } from '#bench/service.js';
import { administrator } from '#bench/sign-in.js';
import { drawFaces } from '#engine/tasks/faces/fixtures/drawn-face.js';
import { chromiumPath, haveChromium } from '../support/chromium.js';
import { haveCurl } from '../support/curl.js';
import { haveDefaultModels } from '../support/default-models.js';
import { drawSigns } from '../support/drawn-signs.js';
import { shownBox } from './shown-box.js';

const samplePath = fileURLToPath(new URL('../../../packages/server/assets/sample.jpg', import.meta.url));
const labelledImages = 10;
const isHere = haveChromium() && haveCurl() && (await haveDefaultModels());

/**
 * All steps in one window, by the texts of the page; the only program is curl. None is repeated: each continues where the one
 * before ended, and a second attempt would find the page elsewhere.
 */
describe.skipIf(!isHere)('from the link in the terminal to a trained model and a drop', { retry: 0 }, () => {
  let dir: string;
  let target: string;
  let service: Service;
  let browser: Browser;
  let page: Page;
  let key: string;
  let isBroken = false;
  const errors: string[] = [];

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lynceus-story-'));
    target = join(dir, 'target');
    await mkdir(target);
    service = await startService({
      LYNCEUS_FTP_PORT: String(await freePort()),
      LYNCEUS_FTP_PASSIVE_PORTS: '0-0',
      LYNCEUS_DROP_FOLDERS: dir,
    });
    browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
    page = await (await browser.newContext({ viewport: { width: 1280, height: 860 } })).newPage();
    page.setDefaultTimeout(60_000);
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
  });
  // The first failure is the cause.
  beforeEach(({ skip }) => skip(isBroken, 'a step before it failed'));
  afterEach(({ task }) => {
    isBroken ||= task.result?.state === 'fail';
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await rm(dir, { recursive: true, force: true });
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const goTo = (linkName: string) =>
    page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: linkName, exact: true })
      .click();
  const give = (...files: readonly { name: string; buffer: Buffer }[]) =>
    page
      .locator('input[type=file]:not([webkitdirectory])')
      .setInputFiles(files.map((file) => ({ ...file, mimeType: 'image/png' })));
  /** Runs the command that the page shows. */
  const paste = async (lines: string) => {
    const { stdout } = await promisify(execFile)('sh', ['-ec', lines], { cwd: dir });
    return stdout;
  };
  const curlLine = () => page.getByRole('region', { name: 'curl' }).innerText();

  test('a user signs in by the one-time link, which then no longer works', async () => {
    const first = await service.firstLink;
    await page.goto(first);
    await page.getByRole('heading', { name: 'Welcome to Lynceus' }).waitFor();
    await page.getByLabel('Your name').fill(administrator.name);
    await page.getByLabel('E-mail address').fill(administrator.email);
    await page.getByLabel('New password').fill(administrator.password);
    await button('Begin').click();
    await page.getByRole('heading', { name: 'Try it' }).waitFor();

    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(first);
    await stranger.getByText('This link no longer works').waitFor();
    await stranger.context().close();
  });

  test('a key is created and shown once', async () => {
    await link('Create a key, and it is filled in here').click();
    await button('Create a key').click();
    await page.getByLabel('Name').fill('Till');
    await button('Create the key').click();
    key = await page.locator('pre').filter({ hasText: /^lyn_/ }).innerText();
    await button('I have copied it').click();
    await page.getByRole('row').filter({ hasText: 'Till' }).getByText('Valid', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(key);
  });

  test('an image is tried, and the curl command below it with the key gets the same answer', async () => {
    await goTo('Try it');
    await button('No image at hand? Take this one.').click();
    const objects = page.getByRole('region', { name: 'Objects' });
    await objects.getByRole('button', { name: /^stop sign/ }).waitFor();
    const line = await curlLine();
    expect(line).toContain(key);
    const [, name = ''] = /image=@"([^"]+)"/.exec(line) ?? [];
    await writeFile(join(dir, name), await readFile(samplePath));
    expect(JSON.parse(await paste(line))).toMatchObject({
      status: 'ok',
      objects: { predictions: [{ object_title: 'stop sign' }] },
    });
  });

  test('two people are enrolled by upload, and a group image shows both', async () => {
    const [ada, zoe] = [await drawSubject(0), await drawSubject(2)];
    await goTo('Faces');
    await button('Create a perception').click();
    await page.getByRole('dialog').getByLabel('Name').fill('Crew');
    await page.getByRole('dialog').getByRole('button', { name: 'Create a perception' }).click();
    for (const [name, buffer] of [['Ada', ada] as const, ['Zoë', zoe] as const]) {
      await button('Add a person').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill(name);
      await dialog.getByRole('button', { name: 'Add a person' }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await give({ name: 'one.png', buffer });
      await page.getByText('1 of 1 image added').waitFor();
      await link('Crew').click();
    }
    await page.getByRole('link', { name: 'Zoë' }).waitFor();
    expect(await page.title()).toBe('Crew · Lynceus');

    await link('Search by image').click();
    const group = await sharp({ create: { width: 560, height: 280, channels: 3, background: '#fff' } })
      .composite([
        { input: ada, left: 0, top: 0 },
        { input: zoe, left: 280, top: 0 },
      ])
      .png()
      .toBuffer();
    await give({ name: 'group.png', buffer: group });
    await page.getByText('2 faces were found').waitFor();
    const boxes = page.getByRole('button', { name: /^Face \d: / });
    const located = await Promise.all(
      (await boxes.all()).map(async (box) => ({
        label: (await box.textContent()) ?? '',
        x: (await box.boundingBox())?.x ?? 0,
      })),
    );
    const [left, right] = located.toSorted((a, b) => a.x - b.x).map(({ label }) => label);
    expect(left).toContain('Ada');
    expect(right).toContain('Zoë');
  });

  test('ten images are labelled: boxes by the mouse, classes by the keyboard', async () => {
    const drawings = await Promise.all(
      Array.from({ length: labelledImages }, (_, count) => drawSigns(count + 1)),
    );
    await goTo('Datasets');
    await button('Create a dataset').click();
    await page.getByLabel('Name').fill('Signs');
    await button('Create the dataset').click();
    await button('Add images').first().click();
    await give(...drawings.map(({ bytes }, count) => ({ name: `${count}.png`, buffer: bytes })));
    await button('Add 10 images').click();
    await page.getByText('10 images were added.').waitFor();
    await link('Label them').click();

    for (let labelled = 0; labelled < labelledImages; labelled += 1) {
      await page.getByText(`${labelled} of ${labelledImages} labelled`).waitFor();
      const shown = await page.getByRole('heading', { level: 1, name: /^\d\.png$/ }).innerText();
      const boxes = drawings[Number.parseInt(shown, 10)]?.boxes;
      if (!boxes) throw new Error(`${shown} is none of ours`);
      await drawBox(boxes.badge);
      if (labelled === 0) {
        // There is no class yet: the page asks for one, and keeps the box.
        await page.getByRole('status').filter({ hasText: 'Choose a class for the box' }).waitFor();
        await page.keyboard.type('badge');
        await page.keyboard.press('Enter');
        await page.getByRole('button', { name: /^badge: \d+ by/ }).waitFor();
        await page.keyboard.press('Escape');
        await page.getByLabel('Find or create a class').fill('warning');
        await page.keyboard.press('Enter');
        await button('warning 2').waitFor();
      } else {
        await page.keyboard.press('1');
      }
      await drawBox(boxes.warning);
      await page.keyboard.press('2');
      await page.keyboard.press('End');
    }
    await page.getByText('10 of 10 labelled').waitFor();
  });

  async function drawBox({ xMin, yMin, xMax, yMax }: Box) {
    const frame = await shownBox(page.locator('img[src*="content?"]').first());
    const scale = frame.width / 480;
    const at = (x: number, y: number) => [frame.x + x * scale, frame.y + y * scale] as const;
    await page.mouse.move(...at(xMin, yMin));
    await page.mouse.down();
    await page.mouse.move(...at((xMin + xMax) / 2, (yMin + yMax) / 2));
    await page.mouse.move(...at(xMax, yMax));
    await page.mouse.up();
  }

  test('a detector is trained on them, and the page shows its progress', async () => {
    await button('Train a model').click();
    await button('Start the training').click();
    await page.getByText('A training run is in progress').waitFor();
    await page.getByText(/^\d+ of 10/).waitFor({ timeout: 300_000 });
    await page.getByText('Version 1 is ready').waitFor({ timeout: 570_000 });
    await page.getByText(/^Measured by cross-validation on/).waitFor();
  }, 600_000);

  test('the detector finds both on a new image, on the page and by curl', async () => {
    await link('Try it on an image').click();
    const { bytes, boxes } = await drawSigns(100);
    await give({ name: 'unseen.png', buffer: bytes });
    const objects = page.getByRole('region', { name: 'Objects' });
    for (const name of ['badge', 'warning']) {
      // A model of ten images may find one of them twice.
      await objects
        .getByRole('button', { name: new RegExp(`^${name}`) })
        .first()
        .waitFor();
    }
    await writeFile(join(dir, 'unseen.png'), bytes);
    const answer: Detections = JSON.parse(await paste(await curlLine()));
    for (const [name, box] of Object.entries(boxes)) {
      const found = answer.predictions.find(({ class_title }) => class_title === name)?.coordinates;
      const { xmin: xMin = 0, ymin: yMin = 0, xmax: xMax = 0, ymax: yMax = 0 } = found ?? {};
      expect(boxIou({ xMin, yMin, xMax, yMax }, box)).toBeGreaterThan(0.5);
    }
  });

  test('a drop is created, and the page follows a file that curl sends', async () => {
    await goTo('Drops');
    await link('Create a drop').click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Sports desk');
    await button('Create the drop').click();
    const line = await curlLine();
    await button('I have copied the key').click();
    await page.getByRole('combobox', { name: 'Model' }).click();
    await page.getByRole('option', { name: 'Signs (1002)' }).waitFor();
    await page.getByRole('option', { name: 'COCO objects, accurate (101)' }).click();
    await button('Continue').click();
    await page.getByRole('combobox', { name: 'Destination' }).click();
    await page.getByRole('option', { name: 'A folder on this machine' }).click();
    await page.getByRole('textbox', { name: 'Folder', exact: true }).fill(target);
    await button('Save and test').click();
    await page.getByText('It works').waitFor();
    await link('Open the drop').click();
    await page.getByText('No files yet').waitFor();

    const [, name = ''] = /-T (\S+)/.exec(line) ?? [];
    await writeFile(join(dir, name), await readFile(samplePath));
    await paste(line);
    const row = page.getByRole('row').filter({ hasText: name });
    await row.getByText('Done').waitFor();
    await row.getByText('stop sign').waitFor();
    expect(await readdir(target)).toEqual([name]);
    // No errors, and no style or script that the policy of the page blocked.
    expect(errors).toEqual([]);
  });
});

interface Detections {
  readonly predictions: readonly {
    readonly class_title: string;
    readonly coordinates: { readonly [side in 'xmin' | 'ymin' | 'xmax' | 'ymax']: number };
  }[];
}

/** A drawn face with a tint and a tilt. */
async function drawSubject(at: number): Promise<Buffer> {
  const drawn = await drawFaces(280, 280, [{ x: 140, y: 140, unit: 5, tiltDeg: 12 * (at - 1) }]);
  return sharp(drawn)
    .modulate({ hue: 60 * at, saturation: 1 - at / 4 })
    .png()
    .toBuffer();
}
