import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dataFolder } from '../storage/data-folder.js';
import { lockForBackup } from '../storage/folder-lock.js';
import { openServiceStorage } from '../storage/open-storage.js';
import { startOnce } from './fixtures/start-once.js';
import { runCommandLine } from './main.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lynceus-cli-secret-key-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function lynceus(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const [printed, noted]: [string[], string[]] = [[], []];
  const code = await runCommandLine(words, {
    env: { LYNCEUS_DATA_DIR: join(folder, 'data'), ...env },
    cwd: folder,
    print: (text) => printed.push(text),
    note: (text) => noted.push(text),
  });
  return { code, printed: printed.join('\n'), noted: noted.join('\n') };
}
const readKey = (name = 'data/secret-key') => readFile(join(folder, name), 'utf8');

test('secret-key rotate puts a new key in the place of the old one, and no command shows either', async () => {
  await startOnce(join(folder, 'data'));
  const old = (await readKey()).trim();
  const { code, printed } = await lynceus(['secret-key', 'rotate']);
  expect([code, printed]).toEqual([
    0,
    expect.stringMatching(/new key is in .*secret-key; 0 values.*old one is in/s),
  ]);
  const key = (await readKey()).trim();
  expect(key).not.toBe(old);
  expect(
    (await readdir(join(folder, 'data'))).filter((name) => name.startsWith('secret-key.until-')),
  ).toHaveLength(1);
  const shown = await Promise.all([
    lynceus(['config'], { LYNCEUS_SECRET_KEY: key }),
    lynceus(['config', '--json'], { LYNCEUS_SECRET_KEY: key }),
    lynceus(['users', 'list'], { LYNCEUS_SECRET_KEY: key }),
  ]);
  for (const answer of [printed, ...shown.map((each) => each.printed + each.noted)]) {
    expect(answer).not.toContain(key);
    expect(answer).not.toContain(old);
  }
  expect(shown.map((each) => each.code)).toEqual([0, 0, 0]);
  // With the old one nothing is opened any more.
  const refused = await lynceus(['users', 'list'], { LYNCEUS_SECRET_KEY: old });
  expect([refused.code, refused.noted]).toEqual([1, expect.stringContaining('secret-key adopt')]);
  expect((await lynceus(['secret-key', 'adopt'], { LYNCEUS_SECRET_KEY: old })).code).toBe(0);
  expect((await lynceus(['users', 'list'], { LYNCEUS_SECRET_KEY: old })).code).toBe(0);
});

test('secret-key rotate is refused while a service runs', async () => {
  await startOnce(join(folder, 'data'));
  const before = await readKey();
  const service = await openServiceStorage(dataFolder(join(folder, 'data')));
  const { code, noted } = await lynceus(['secret-key', 'rotate']);
  await service.close();
  expect([code, noted]).toEqual([1, expect.stringContaining('Another service runs on the data folder')]);
  expect(await readKey()).toBe(before);
});

test('no command creates a key, nor replaces the one that the service has', async () => {
  const dir = join(folder, 'data');
  await lynceus(['accounts', 'create', 'house']);
  const commands = [
    ['users', 'list'],
    ['drops', 'list', '--account', 'house'],
    ['secret-key', 'rotate'],
  ];
  for (const words of commands) {
    const { code, noted } = await lynceus(words);
    expect([words, code, noted]).toEqual([words, 1, expect.stringMatching(/Start the service once/)]);
  }
  const secretKey = randomBytes(32).toString('base64');
  await startOnce(dir, { secretKey });
  for (const words of commands) {
    const { code, noted } = await lynceus(words);
    expect([words, code, noted]).toEqual([words, 1, expect.stringMatching(/same settings as the service/)]);
  }
  expect(await readdir(dir)).not.toContain('secret-key');
  await startOnce(dir, { secretKey });
  expect((await lynceus(['users', 'list'], { LYNCEUS_SECRET_KEY: secretKey })).code).toBe(0);
});

test('secret-key rotate --to takes a new file alone', async () => {
  await startOnce(join(folder, 'data'));
  const before = await readKey();
  await writeFile(join(folder, 'there'), `${randomBytes(32).toString('base64url')}\n`);
  for (const to of ['data/secret-key', 'there']) {
    const { code, noted } = await lynceus(['secret-key', 'rotate', '--to', to]);
    expect([to, code, noted]).toEqual([
      to,
      1,
      expect.stringMatching(/exists already, and nothing was changed/),
    ]);
  }
  // A copy of the key that is in use, where the next one would wait.
  await copyFile(join(folder, 'data/secret-key'), join(folder, 'data/secret-key.next'));
  const { code, noted } = await lynceus(['secret-key', 'rotate']);
  expect([code, noted]).toEqual([
    1,
    expect.stringMatching(/the key that is in use, and nothing was changed/),
  ]);
  expect(await readKey()).toBe(before);
  expect((await lynceus(['users', 'list'])).code).toBe(0);
});

test('secret-key rotate and adopt wait for a backup to end', async () => {
  await startOnce(join(folder, 'data'));
  const lock = lockForBackup(dataFolder(join(folder, 'data')));
  for (const what of ['rotate', 'adopt']) {
    const { code, noted } = await lynceus(['secret-key', what]);
    expect([code, noted]).toEqual([1, expect.stringMatching(/Another backup/)]);
  }
  lock.release();
});
