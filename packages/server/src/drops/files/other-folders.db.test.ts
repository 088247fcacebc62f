import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createProcessLeases } from '../../storage/leases/process-leases.js';
import type { DropFolders, DropUpload } from '../drop-folders.js';
import { type DropTrial, openDropTrial, put } from '../fixtures/drop-trial.js';
import type { FilesOfDrops } from './files-of-drops.js';
import { type FolderFileBytes, openFolderFileBytes } from './folder-file-bytes.js';

const otherUid = '00000000-0000-4000-8000-000000000001';

let trial: DropTrial;
/** Another service on the same database, with a data folder of its own. */
let other: FilesOfDrops;
let otherBytes: FolderFileBytes;
let [here, there]: DropFolders[] = [];
beforeAll(async () => {
  trial = await openDropTrial();
  otherBytes = await openFolderFileBytes(join(trial.dir, 'other-drops'), { reserveBytes: 0 });
  other = startOther();
});
afterAll(() => trial.close());
/** The service of the other folder, at each start. */
const startOther = () =>
  trial.openFiles({
    clock: () => Date.now() + 3_600_000,
    bytes: otherBytes,
    folderUid: otherUid,
    leases: createProcessLeases({ database: trial.database, folderUid: otherUid, isAlone: false }),
  });
const begun: DropUpload[] = [];
afterEach(async () => {
  for (const upload of begun.splice(0)) await upload.cut();
});
beforeEach(async () => {
  const made = await trial.makeDrop();
  [here, there] = [made.folders, other.foldersOf(made.drop)];
  const { query, write } = trial.database;
  const row = { uid: otherUid, label: 'host:/other', generation: 1, joined_at: 1, started_at: 1, seen_at: 1 };
  await write([
    query.deleteFrom('drop_file'),
    query
      .insertInto('data_folder')
      .values(row)
      .onConflict((conflict) => conflict.column('uid').doUpdateSet({ retired_at: null })),
  ]);
});

const rows = async () =>
  (await trial.rows()).map(({ name, state, folder_uid }) => [name, state, folder_uid]).sort();
const change = (set: {
  readonly folder_uid?: null;
  readonly lease_owner?: null;
  readonly leased_until?: number | null;
  readonly retired_at?: number;
}) => {
  const { query, write } = trial.database;
  const { retired_at, ...ofFiles } = set;
  return write([
    retired_at === undefined
      ? query.updateTable('drop_file').set(ofFiles)
      : query.updateTable('data_folder').set({ retired_at }).where('uid', '=', otherUid),
  ]);
};
const begin = async (folders: DropFolders | undefined, name: string, content = '') => {
  const upload = await folders?.receive(['incoming', name], { at: 'begin' });
  if (upload === undefined) throw new Error('no folders');
  begun.push(upload);
  // Also where nothing is written, its row is there.
  await upload.sync();
  if (content !== '') await upload.write(Buffer.from(content));
  return upload;
};

test('a start, and a sweep, end no transfer that another service is receiving', async () => {
  const uploads = [await begin(here, 'empty.jpg'), await begin(here, 'begun.jpg', 'pict')];
  expect(await other.recoverCut()).toBe(0);
  expect(await startOther().recoverCut()).toBe(0);
  const own = trial.folderUid;
  expect(await rows()).toEqual([
    ['begun.jpg', 'receiving', own],
    ['empty.jpg', 'receiving', own],
  ]);
  for (const upload of uploads) await upload.finish();
  begun.length = 0;
  expect(await rows()).toEqual([
    ['begun.jpg', 'arrived', own],
    ['empty.jpg', 'arrived', own],
  ]);
  // Those of its own folder end with its next start.
  await begin(there, 'its-own.jpg');
  expect(await other.recoverCut()).toBe(0);
  expect(await startOther().recoverCut()).toBe(1);
});

test('those of a folder that is retired, or that nobody knows, are ended by any once their lease is over', async () => {
  await begin(there, 'empty.jpg');
  expect(await trial.files.recoverCut()).toBe(0);
  await change({ retired_at: 1 });
  expect(await trial.files.recoverCut()).toBe(0);
  await change({ leased_until: 1 });
  expect(await trial.files.recoverCut()).toBe(1);
  expect(await rows()).toEqual([]);
});

test('those of before files knew their folder are ended where their bytes are', async () => {
  await begin(here, 'empty.jpg');
  await begin(here, 'begun.jpg', 'pict');
  await change({ folder_uid: null, lease_owner: null, leased_until: null });
  expect(await other.recoverCut()).toBe(0);
  expect(await trial.files.recoverCut()).toBe(1);
  expect(await rows()).toEqual([
    ['begun.jpg', 'partial', null],
    ['empty.jpg', 'receiving', null],
  ]);
  // The only folder that there is has no one to wait for.
  await change({ retired_at: 1 });
  expect(await trial.files.recoverCut()).toBe(1);
  expect((await rows()).map(([name]) => name)).toEqual(['begun.jpg']);
});

test('a file of which the bytes are with another service is not gone on with as if they were here', async () => {
  const upload = await begin(here, 'begun.jpg', 'pict');
  await upload.cut();
  begun.length = 0;
  for (const start of [{ at: 'end' }, { at: 'offset', offsetBytes: 4 }] as const) {
    await expect(there?.receive(['incoming', 'begun.jpg'], start)).rejects.toMatchObject({ code: 'offset' });
  }
  if (here) await put(here, ['incoming', 'begun.jpg'], 'ure', { at: 'end' });
  expect((await trial.rows()).map(({ size_bytes }) => size_bytes)).toEqual([7]);
});
