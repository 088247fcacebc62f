import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startOnce } from './fixtures/start-once.js';
import { runCommandLine } from './main.js';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-cli-folders-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function lynceus(...words: string[]) {
  const [printed, noted]: [string[], string[]] = [[], []];
  const code = await runCommandLine(words, {
    env: { LYNCEUS_DATA_DIR: dir },
    cwd: dir,
    print: (text) => printed.push(text),
    note: (text) => noted.push(text),
  });
  return { code, printed: printed.join('\n'), noted: noted.join('\n') };
}

test('folders retire is refused for the folder that the SQLite database lies in, on which a service then starts', async () => {
  await startOnce(dir);
  const { folder } = JSON.parse(await readFile(join(dir, 'installation.json'), 'utf8'));
  const { code, noted } = await lynceus('folders', 'retire', folder);
  expect([code, noted]).toEqual([1, expect.stringMatching(/cannot be retired. Nothing was changed/)]);
  expect((await lynceus('folders', 'list')).printed).toContain('stopped');
  await startOnce(dir);
});
