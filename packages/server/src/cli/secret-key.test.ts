import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dataFolder } from '../storage/data-folder.js';
import { openServiceStorage } from '../storage/open-storage.js';
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
  await lynceus(['users', 'list']);
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
  await lynceus(['users', 'list']);
  const before = await readKey();
  const service = await openServiceStorage(dataFolder(join(folder, 'data')));
  const { code, noted } = await lynceus(['secret-key', 'rotate']);
  await service.close();
  expect([code, noted]).toEqual([1, expect.stringContaining('Another service runs on the data folder')]);
  expect(await readKey()).toBe(before);
});
