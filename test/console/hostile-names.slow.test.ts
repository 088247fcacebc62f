import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '#bench/free-port.js';
import { type Service, startService } from '#bench/service.js';
import { administrator } from '#bench/sign-in.js';
import { haveChromium } from '../support/chromium.js';
import { haveDefaultModels } from '../support/default-models.js';
import { createAsk, documents, fillWithMarkup, formOf, hostile, hostileEmail } from './hostile-account.js';
import { type OpenConsole, openConsole } from './open-console.js';

describe.skipIf(!haveChromium() || !(await haveDefaultModels()))('names that are markup', () => {
  let dir: string;
  let service: Service;
  let console: OpenConsole;
  let page: Page;
  let made: Awaited<ReturnType<typeof fillWithMarkup>>;
  /** Dialogs, violations of the policy, and requests to other origins. */
  const alarms: string[] = [];

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lynceus-names-'));
    const ftpPort = await freePort();
    service = await startService({
      LYNCEUS_FTP_PORT: String(ftpPort),
      LYNCEUS_FTP_PASSIVE_PORTS: '0-0',
      LYNCEUS_DROP_FOLDERS: dir,
      LYNCEUS_KEEP_IMAGES: 'true',
      LYNCEUS_RECOGNITION_PARTS: 'texts',
    });
    console = await openConsole(service);
    ({ page } = await console.open('/keys'));
    page.on('dialog', (dialog) => {
      alarms.push(`dialog: ${dialog.message()}`);
      dialog.dismiss().catch(() => undefined);
    });
    page.on('console', (message) => {
      if (/Content.Security.Policy|Refused to/i.test(message.text())) alarms.push(message.text());
    });
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (/^https?:$/.test(protocol) && origin !== service.url) alarms.push(request.url());
    });
    made = await fillWithMarkup({ page, ftpPort, dir });
  });
  afterAll(async () => {
    await console?.close();
    await service?.stop();
    await rm(dir, { recursive: true, force: true });
  });

  const shows = async (path: string, ...names: readonly string[]) => {
    await page.goto(service.url + path);
    for (const name of names) await page.getByText(hostile(name), { exact: false }).first().waitFor();
    if (names.length === 0) await page.getByRole('heading', { level: 1 }).first().waitFor();
    await expectQuiet(path);
  };
  const expectQuiet = async (path: string) => {
    const found = await page.evaluate('[window.ran ?? 0, document.querySelectorAll("img[src=x]").length]');
    expect([path, found, alarms]).toEqual([path, [0, 0], []]);
  };

  test('are words on every page that shows them', { timeout: 300_000 }, async () => {
    const { perception, person, dataset, model, drop, analyses } = made;
    await shows('/', 'user');
    await shows('/keys', 'key');
    await shows('/usage');
    await shows('/faces', 'perception');
    await shows(`/faces/${perception}`, 'perception', 'person');
    await shows(`/faces/${perception}/people/${person}`, 'person', 'key_id');
    await shows(`/faces/${perception}/search`, 'perception');
    await shows(`/faces/${perception}/calibration`, 'perception');
    await shows('/datasets', 'dataset');
    await shows(`/datasets/${dataset}`, 'dataset', 'class');
    await shows(`/datasets/${dataset}/label`, 'class');
    await shows('/models', 'model');
    await shows(`/models/${model}`, 'model');
    await shows(`/models/${model}/versions/1`, 'label');
    await shows('/files', 'other');
    for (const fileid of analyses) await shows(`/files/${fileid}`);
    await page.goto(`${service.url}/files/${analyses[0]}`);
    // As far as text recognition reads it.
    await page
      .getByText(/<img src/)
      .first()
      .waitFor();
    await shows('/drops', 'drop');
    await shows(`/drops/${drop}`, 'photo', 'other');
    await page.getByRole('button', { name: hostile('photo') }).click();
    await page.getByRole('dialog').getByText('Sent', { exact: true }).waitFor();
    await expectQuiet('a file of the drop');
    for (const tab of ['connection', 'written', 'destination']) await shows(`/drops/${drop}/${tab}`, 'drop');
    await shows('/account', 'user');
    await shows('/account/users', 'user');
    await page.getByText(hostileEmail).first().waitFor();
    await shows('/account/log', 'perception', 'model');
    await shows('/admin/accounts', 'account');
    await shows('/admin/users', 'user');
  });

  test('are text in addresses and in errors that repeat them', async () => {
    const markup = encodeURIComponent(hostile('address'));
    for (const path of [`/models/${markup}`, `/files/${markup}`, `/faces/${markup}`, `/help/${markup}`]) {
      await page.goto(service.url + path);
      await page.getByRole('main').first().waitFor();
      await expectQuiet(path);
    }
    await page.goto(`${service.url}/files?search=${markup}&cursor=${markup}#${hostile('hash')}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectQuiet('/files?search');
    await page.goto(`${service.url}/welcome#${hostile('token')}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectQuiet('/welcome');
  });

  test('that are addresses lead nowhere else after the sign-in', async () => {
    const guest = await (await console.browser.newContext()).newPage();
    const gone: string[] = [];
    guest.on('request', (request) => {
      if (!request.url().startsWith(service.url)) gone.push(request.url());
    });
    for (const next of [
      '//evil.example/',
      '/\t/evil.example/',
      '/\\evil.example',
      'javascript:window.ran=1',
    ]) {
      // A signed-in user is redirected at once.
      await guest.context().clearCookies();
      await guest.goto(`${service.url}/sign-in?next=${encodeURIComponent(next)}`);
      await guest.getByLabel('E-mail address').fill(administrator.email);
      await guest.getByRole('textbox', { name: 'Password' }).fill(administrator.password);
      await guest.getByRole('button', { name: 'Sign in' }).click();
      await guest.getByRole('heading', { name: 'Try it' }).waitFor();
      expect([next, guest.url(), gone]).toEqual([next, `${service.url}/`, []]);
    }
    expect(await guest.evaluate('window.ran ?? 0')).toBe(0);
    await guest.context().close();
  });

  test('and files that are documents are refused or kept as files, and never shown as what they are', async () => {
    const ask = createAsk({ page });
    for (const file of Object.entries(documents)) {
      const image = () => formOf('image', [file]);
      await expect(ask('POST', `/api/people/${made.person}/images`, image())).rejects.toThrow('415');
      await expect(ask('POST', `/api/perceptions/${made.perception}/search`, image())).rejects.toThrow('415');
      const added = await ask('POST', `/api/datasets/${made.dataset}/images`, formOf('file', [file]));
      expect([file[0], JSON.stringify(added)]).toEqual([file[0], expect.stringContaining('"refused"')]);
    }
    const { data } = await ask('GET', `/api/drops/${made.drop}/files`);
    const files = data as { id: string; name: string }[];
    for (const name of Object.keys(documents)) {
      const { id } = files.find((file) => file.name === name) ?? { id: '' };
      const path = `/api/drops/${made.drop}/files/${id}/content`;
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.goto(service.url + path).catch(() => undefined),
      ]);
      expect(download.suggestedFilename()).toBe(name);
      const { headers } = await fetch(service.url + path, { headers: { 'x-api-key': service.key } });
      expect([name, headers.get('content-type')]).toEqual([name, 'application/octet-stream']);
      expect(headers.get('content-security-policy')).toContain('sandbox');
    }
    await page.goto(service.url);
    await expectQuiet('/');
  });
});
