import { utimes } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedByReplicas } from '#bench/scale/replicas.js';
import { type Service, startService } from '#bench/service.js';
import { openFolderBlobs } from '#server/storage/blobs/folder-blobs.js';
import { dataFolder } from '#server/storage/data-folder.js';
import { openSweepGuard } from '#server/storage/quarantine/open-quarantine.js';
import { haveChromium } from '../support/chromium.js';
import { askAs, type OpenConsole, openConsole } from './open-console.js';

describe.skipIf(!haveChromium())('the administration on the web account', { timeout: 300_000 }, () => {
  let service: Service;
  let console: OpenConsole;
  let page: Page;
  let errors: string[];
  beforeAll(async () => {
    // Without models: these tests look at no image.
    service = await startService();
    console = await openConsole(service);
    ({ page, errors } = await console.open('/account'));
  });
  afterAll(async () => {
    await console?.close();
    await service?.stop();
  });

  const tab = (name: string) => page.getByRole('tab', { name }).click();

  test('an administrator sees the service, creates an account, invites its owner, and finds a setting', async () => {
    await page.getByRole('link', { name: 'Administration' }).click();
    await page.getByText('Inference processes').waitFor();

    await tab('Accounts');
    await page.getByRole('button', { name: 'Create an account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('shop');
    await dialog.getByLabel('Total calls').fill('250');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('row').filter({ hasText: '0 of 250' }).waitFor();
    await page.getByRole('button', { name: 'Actions on shop' }).click();
    await page.getByRole('menuitem', { name: 'Invite its owner' }).click();
    await dialog.getByLabel('Their e-mail address').fill('owner@shop.example');
    await dialog.getByRole('button', { name: 'Create the link' }).click();
    expect(await dialog.locator('pre').innerText()).toContain('/welcome#');
    await dialog.getByRole('button', { name: 'I have copied it' }).click();

    // Closed after its name is typed, reopened, and then deleted without a grace period.
    const remove = async (isNow: boolean) => {
      await page.getByRole('button', { name: 'Actions on shop' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      const yes = dialog.getByRole('button', { name: 'Delete the account' });
      await dialog.getByLabel('The name of the account').fill('shops');
      expect(await yes.isDisabled()).toBe(true);
      await dialog.getByLabel('The name of the account').fill('shop');
      if (isNow) await dialog.getByLabel('Delete now').check();
      await yes.click();
    };
    await remove(false);
    await page.getByText('Closed; waiting for deletion').waitFor();
    await page.getByRole('button', { name: 'Actions on shop' }).click();
    await page.getByRole('menuitem', { name: 'Cancel the deletion' }).click();
    await dialog.getByRole('button', { name: 'Reopen the account' }).click();
    await page.getByText('Closed; waiting for deletion').waitFor({ state: 'detached' });
    await remove(true);
    await expect
      .poll(async () => {
        const { data } = await askAs(page, service.url, '/api/admin/account-deletions');
        return data.map(({ state }: { state: string }) => state);
      })
      .toEqual(['done']);
    await page.reload();
    await tab('Accounts');
    await page.getByRole('row').filter({ hasText: 'default' }).waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'shop' }).count()).toBe(0);

    await tab('Users');
    await page.getByRole('searchbox').fill('nobody at all');
    await page.getByText('No results').waitFor();
    await page.getByRole('searchbox').fill('ada');
    await page.getByRole('button', { name: /Reset link: / }).click();
    await page.getByRole('button', { name: 'Create the link' }).click();
    await page.locator('pre').filter({ hasText: '/welcome#' }).waitFor();
    await page.getByRole('button', { name: 'I have copied it' }).click();

    await tab('Models');
    await page.getByRole('row').nth(1).waitFor();

    await tab('Settings');
    await page.getByRole('searchbox').fill('ftp port');
    await page.getByText('LYNCEUS_FTP_PORT', { exact: true }).waitFor();
    expect(await page.getByText('LYNCEUS_HOST', { exact: true }).count()).toBe(0);
  });

  // It puts files into the data folder, which replicas have in a bucket.
  test.skipIf(sharedByReplicas() !== null)(
    'an administrator reads why a sweep is blocked, and confirms it',
    async () => {
      const { facesDir, quarantineDir } = dataFolder(service.dataDir);
      const faces = await openFolderBlobs(facesDir, { mayServiceBeRunning: true });
      for (const id of ['orphan-1', 'orphan-2', 'orphan-3']) {
        await faces.write(id, Readable.from([Buffer.from(id)]));
        await utimes(faces.placeOf(id), 1, 1);
      }
      // As the hourly sweep would report it.
      await openSweepGuard({ quarantineDir }, null).block('faces', { orphans: 3, items: 3 }, Date.now());
      await page.getByRole('link', { name: 'Administration' }).click();
      await page.getByText('3 of 3 files of “faces” have no row in the database').waitFor();
      await page.getByRole('button', { name: 'Move 3 files to quarantine' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Move 3 files' }).click();
      const row = page
        .getByRole('row')
        .filter({ hasText: /^faces/ })
        .last();
      await expect.poll(() => row.innerText(), { timeout: 120_000 }).toMatch(/Done[\s\S]*3$/);
      expect(await page.getByText('have no row in the database').count()).toBe(0);
      expect(await faces.sizeOf('orphan-1')).toBeNull();
    },
  );

  test('while FTP is disabled, drops show it and how to enable it', async () => {
    await page.getByRole('link', { name: 'Drops', exact: true }).click();
    await page.getByRole('link', { name: 'Create a drop' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('desk');
    await page.getByRole('button', { name: 'Create the drop' }).click();
    await page.getByText('FTP is disabled on this service').waitFor();
    await page.getByText('LYNCEUS_FTP_PORT=2121').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Drops', exact: true }).click();
    await page.getByText('FTP is disabled on this service').waitFor();
    expect(errors).toEqual([]);
  });
});
