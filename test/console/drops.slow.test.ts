import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Client } from 'basic-ftp';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '#bench/free-port.js';
import { type Service, startService } from '#bench/service.js';
import { haveChromium } from '../support/chromium.js';
import { haveDefaultModels } from '../support/default-models.js';
import { type OpenConsole, openConsole } from './open-console.js';

const sample = fileURLToPath(new URL('../../../packages/server/assets/sample.jpg', import.meta.url));
const hostile = '<img src=x onerror="document.title=1">.jpg';

describe.skipIf(!haveChromium() || !(await haveDefaultModels()))(
  'drops on the web account',
  {
    timeout: 300_000,
  },
  () => {
    let dir: string;
    let target: string;
    let ftpPort: number;
    let service: Service;
    let console: OpenConsole;
    let page: Page;
    let errors: string[];
    let user: { user: string; password: string };

    const logIn = async () => {
      const client = new Client(10_000);
      const secureOptions = { rejectUnauthorized: false };
      await client.access({ host: '127.0.0.1', port: ftpPort, ...user, secure: true, secureOptions });
      return client;
    };
    const send = async (source: string | Readable, name: string) => {
      const client = await logIn();
      await client.uploadFrom(source, name);
      client.close();
    };
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });

    beforeAll(async () => {
      dir = await mkdtemp(join(tmpdir(), 'lynceus-drops-'));
      target = join(dir, 'target');
      await mkdir(target);
      ftpPort = await freePort();
      service = await startService({
        LYNCEUS_FTP_PORT: String(ftpPort),
        LYNCEUS_FTP_PASSIVE_PORTS: '0-0',
        LYNCEUS_DROP_FOLDERS: dir,
      });
      console = await openConsole(service);
      ({ page, errors } = await console.open('/drops'));
    });
    afterAll(async () => {
      await console?.close();
      await service?.stop();
      await rm(dir, { recursive: true, force: true });
    });

    test('a drop is created in four steps, and its destination is tested', async () => {
      await page.getByText('No drops yet').waitFor();
      await page.getByRole('link', { name: 'Create a drop' }).click();
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Sports desk');
      await page.getByRole('button', { name: 'Create the drop' }).click();
      const secret = await page.locator('pre').filter({ hasText: /^lyn_/ }).first().innerText();
      const lines = await page.getByRole('region', { name: 'curl' }).innerText();
      expect(lines).toContain(`${secret} ftp://`);
      user = { user: /--user ([\w-]+):/.exec(lines)?.[1] ?? '', password: secret };

      await page.getByRole('button', { name: 'I have copied the key' }).click();
      await page.getByRole('switch', { name: 'Faces' }).check();
      await page.getByRole('button', { name: 'Continue' }).click();

      await choose('Destination', 'A server by SFTP');
      await page.getByRole('button', { name: 'Save and test' }).click();
      await page.getByText('This field is required.').first().waitFor();
      await page.getByRole('textbox', { name: 'Host', exact: true }).fill('127.0.0.1');
      await page.getByRole('textbox', { name: 'User name', exact: true }).fill('desk');
      await page.getByRole('textbox', { name: 'Password', exact: true }).fill('a password');
      await page.getByRole('button', { name: 'Save and test' }).click();
      await page.getByText(/127\.0\.0\.1 has a private address/).waitFor();

      await choose('Destination', 'A folder on this machine');
      await page.getByRole('textbox', { name: 'Folder', exact: true }).fill(target);
      await page.getByRole('button', { name: 'Save and test' }).click();
      await page.getByText('It works').waitFor();
      await page.getByRole('link', { name: 'Open the drop' }).click();
      await page.getByText('No files yet').waitFor();
    });

    test('a file is followed live, with its history', async () => {
      await send(sample, 'IMG_1.jpg');
      await row('IMG_1.jpg').getByText('Done').waitFor();
      await row('IMG_1.jpg').getByText('stop sign').waitFor();
      expect(await readdir(target)).toEqual(['IMG_1.jpg']);
      const image = row('IMG_1.jpg').locator('img');
      await expect.poll(() => image.evaluate((img) => Reflect.get(img, 'naturalWidth'))).toBeGreaterThan(0);

      await page.getByRole('button', { name: 'IMG_1.jpg' }).click();
      const file = page.getByRole('dialog');
      for (const step of ['Arrived', 'Analysed', 'Keywords written', 'Sent']) {
        await file.getByText(step, { exact: true }).waitFor();
      }
      await file.getByText(join(target, 'IMG_1.jpg')).first().waitFor();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        file.getByRole('link', { name: 'Download' }).click(),
      ]);
      expect(download.suggestedFilename()).toBe('IMG_1.jpg');
      await file.getByRole('button', { name: 'Close' }).click();
    });

    test('a failed file has a reason, is retried, and is deleted after a confirmation', async () => {
      await send(Readable.from('no image'), 'notes.txt');
      await row('notes.txt').getByText('Failed').waitFor();
      await page.getByRole('button', { name: 'notes.txt' }).click();
      const file = page.getByRole('dialog', { name: 'notes.txt' });
      await file.getByText('it is not an image').first().waitFor();
      await file.getByRole('button', { name: 'Retry' }).click();
      await file.getByText('Retried by hand').waitFor();
      await expect.poll(() => file.getByText('Failed', { exact: true }).count()).toBeGreaterThan(1);
      await file.getByRole('button', { name: 'Delete' }).click();
      await page
        .getByRole('dialog', { name: 'Delete “notes.txt”?' })
        .getByText('Delete', { exact: true })
        .click();
      await expect.poll(() => row('notes.txt').count()).toBe(0);
    });

    test('names are shown as text, and are found by a part of them', async () => {
      await send(sample, hostile);
      await row('onerror').getByText('Done').waitFor();
      await page.getByRole('searchbox').fill('onerror');
      await expect.poll(() => page.getByRole('row').count()).toBe(2);
      await page.getByRole('button', { name: hostile }).click();
      await page.getByRole('dialog').getByText('Sent', { exact: true }).waitFor();
      expect(await page.title()).toContain('Sports desk');
      await page.keyboard.press('Escape');
      await page.getByRole('searchbox').fill('nothing like it');
      await page.getByText('No files found').waitFor();
    });

    test('a new key is shown once, and the old one is revoked', async () => {
      await page.getByRole('button', { name: 'Drop actions' }).click();
      await page.getByRole('menuitem', { name: 'Create a new key' }).click();
      await page.getByRole('button', { name: 'Create the key' }).click();
      const secret = await page.locator('pre').filter({ hasText: /^lyn_/ }).first().innerText();
      await expect(logIn()).rejects.toThrow('530');
      user = { ...user, password: secret };
      (await logIn()).close();
      await page.reload();
      await page.getByText('if it is lost, create a new one').waitFor();
      expect(await page.content()).not.toContain(secret);
    });

    test('a drop is deleted with all its files after a confirmation', async () => {
      await page.getByRole('button', { name: 'Drop actions' }).click();
      await page.getByRole('menuitem', { name: 'Delete the drop' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('The drop was deleted with 2 files').waitFor();
      await page.getByText('No drops yet').waitFor();
      // A file that is not an image has no preview, and one destination was refused.
      expect(errors.filter((error) => !/status of 4(00|04|15)/.test(error))).toEqual([]);
    });

    async function choose(label: string, option: string) {
      await page.getByRole('combobox', { name: label }).click();
      await page.getByRole('option', { name: option }).click();
    }
  },
);
