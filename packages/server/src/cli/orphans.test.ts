import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BlobStore } from '../storage/blobs/blob-store.js';
import { openFolderBlobs } from '../storage/blobs/folder-blobs.js';
import { type DataFolder, dataFolder } from '../storage/data-folder.js';
import { sweepOnce } from '../storage/fixtures/sweep-once.js';
import { openQuarantine } from '../storage/quarantine/quarantine.js';
import { readSweepSuspension } from '../storage/sweep-suspension.js';
import { runCommandLine } from './main.js';

const dayMs = 86_400_000;
let root: string;
let folder: DataFolder;
let faces: BlobStore;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'lynceus-cli-orphans-'));
  folder = dataFolder(join(root, 'data'));
  faces = await openFolderBlobs(folder.facesDir);
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function orphans(...words: string[]) {
  const [printed, noted]: [string[], string[]] = [[], []];
  const code = await runCommandLine(['orphans', ...words], {
    env: { LYNCEUS_DATA_DIR: folder.dir },
    cwd: root,
    print: (text) => printed.push(text),
    note: (text) => noted.push(text),
  });
  return { code, printed: printed.join('\n'), noted: noted.join('\n') };
}
const write = (id: string) => faces.write(id, Readable.from([Buffer.alloc(2000, id)]));
const quarantine = (ids: readonly string[], nowMs = Date.now()) =>
  openQuarantine(folder.quarantineDir).move(
    'faces',
    ids.map((id) => ({ id, path: faces.placeOf(id), accountId: null })),
    nowMs,
  );

test('lists what is in quarantine, by day and each', async () => {
  for (const id of ['orphan-1', 'orphan-2']) await write(id);
  await quarantine(['orphan-1', 'orphan-2'], Date.parse('2026-01-31T12:00:00Z'));
  expect((await orphans('list')).printed).toMatch(/^DAY +STORE +ITEMS +SIZE\n2026-01-31 +faces +2 +4\.0 kB$/);
  const items = await orphans('list', '--items', '--store', 'faces');
  expect(items.printed).toMatch(/2026-01-31 +faces +- +2\.0 kB +orphan-1\n/);
  expect((await orphans('list', '--items', '--store', 'models')).printed).not.toContain('orphan');
});

test('restores items to where they were, and suspends sweeps so that they stay there', async () => {
  for (const id of ['orphan-1', 'orphan-2']) await write(id);
  await quarantine(['orphan-1', 'orphan-2']);
  expect(existsSync(faces.placeOf('orphan-1'))).toBe(false);
  const restored = await orphans('restore', 'orphan-1');
  expect([restored.code, restored.printed]).toEqual([0, 'Restored: 1 of 1 items.']);
  expect([existsSync(faces.placeOf('orphan-1')), existsSync(faces.placeOf('orphan-2'))]).toEqual([
    true,
    false,
  ]);
  expect(await readSweepSuspension(folder, Date.now())).toMatchObject({ reason: 'lynceus orphans restore' });
  expect((await orphans('list')).noted).toMatch(/^Sweeps are suspended until .* UTC/);
  // One whose path is taken stays in quarantine.
  await write('orphan-2');
  expect((await orphans('restore', '--all')).printed).toBe('Restored: 0 of 1 items.');

  expect((await orphans('resume')).printed).toBe('Sweeps are no longer suspended.');
  expect(await readSweepSuspension(folder, Date.now())).toBeNull();
});

test('purges what was asked for, and nothing where nothing was asked for', async () => {
  for (const id of ['orphan-1', 'orphan-2', 'orphan-3']) await write(id);
  await quarantine(['orphan-1'], Date.now() - 10 * dayMs);
  await quarantine(['orphan-2', 'orphan-3']);
  expect(await orphans('purge')).toMatchObject({ code: 1, noted: expect.stringContaining('--all') });
  expect(await orphans('purge', 'orphan-9')).toMatchObject({ code: 1 });
  expect((await orphans('purge', '--older-than', '5')).printed).toBe('Deleted: 1 items.');
  expect((await orphans('purge', 'orphan-2')).printed).toBe('Deleted: 1 items.');
  expect((await orphans('list', '--items')).printed).toMatch(/orphan-3$/);
  expect((await orphans('purge', '--all', '--store', 'faces')).printed).toBe('Deleted: 1 items.');
  expect(await readdir(folder.quarantineDir)).toEqual([]);
});

test('confirms a blocked sweep, for the next one', async () => {
  const ids = ['orphan-1', 'orphan-2', 'orphan-3'];
  for (const id of ids) {
    await write(id);
    await utimes(faces.placeOf(id), 1, 1);
  }
  const store = {
    name: 'faces' as const,
    list: faces.list,
    placeOf: faces.placeOf,
    findNamed: async () => new Set<string>(),
  };
  expect(await orphans('confirm', 'faces')).toMatchObject({ code: 1 });
  expect((await sweepOnce(store, folder)).blocked).toMatchObject({ orphans: 3, items: 3 });
  expect((await orphans('list')).noted).toContain('3 of 3 items have no row');
  expect((await orphans('confirm', 'faces')).printed).toMatch(/^Confirmed: 3 of 3 items of faces/);
  expect(await orphans('confirm', 'kittens')).toMatchObject({ code: 1 });
  expect(await sweepOnce(store, folder)).toMatchObject({ quarantined: 3, blocked: null });
  expect((await orphans('list')).noted).toBe('');
});
