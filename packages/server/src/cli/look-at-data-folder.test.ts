import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lookAtDataFolder } from './look-at-data-folder.js';
import { runCommandLine } from './main.js';

let folder: string;
let notes: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lynceus-folder-'));
  notes = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const context = (dataDir: string) => ({
  env: { LYNCEUS_DATA_DIR: dataDir },
  cwd: folder,
  print: () => undefined,
  note: (text: string) => {
    notes.push(text);
  },
});

test('a command that makes a data folder says so, once', async () => {
  const dataDir = join(folder, 'data');
  expect(await runCommandLine(['keys', 'list'], context(dataDir))).toBe(0);
  expect(notes).toEqual([expect.stringContaining(`${dataDir} is a new data folder`)]);
  expect(await runCommandLine(['keys', 'list'], context(dataDir))).toBe(0);
  expect(notes).toHaveLength(1);
});

test('what makes none says nothing of it', async () => {
  expect(await runCommandLine(['config'], context(join(folder, 'data')))).toBe(0);
  expect(await runCommandLine(['keys', '--help'], context(join(folder, 'data')))).toBe(0);
  expect(notes.join('\n')).not.toContain('data folder');
});

// Only root can give a folder to another user.
test.skipIf(process.geteuid?.() !== 0)('root is sent to the user of the folder', async () => {
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  await chown(dataDir, 54_321, 54_321);
  expect(await runCommandLine(['backup'], context(dataDir))).toBe(1);
  expect(notes).toEqual([expect.stringContaining("sudo -u '#54321'")]);
  // The user itself is not.
  lookAtDataFolder(context(dataDir), { uid: 54_321 });
});
