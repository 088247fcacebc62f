import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../storage/database.js';
import { StorageError } from '../../storage/storage-error.js';
import { type DropTrial, openDropTrial, put } from '../fixtures/drop-trial.js';
import { createFilesOfDrops } from './files-of-drops.js';

let trial: DropTrial;
let isFull = false;
beforeAll(async () => {
  trial = await openDropTrial();
});
afterAll(() => trial.close());

/** A database on a disk that is full whenever a test says so. */
const database: Pick<Database, 'write'> = {
  write: async (...unit: Parameters<Database['write']>) => {
    if (isFull) throw new StorageError('full', 'the disk is full');
    return trial.database.write(...unit);
  },
};

test('an upload to a full database fails with that reason, is not acknowledged, and can be resumed', async () => {
  const files = createFilesOfDrops({
    bytes: trial.bytes,
    jobs: trial.jobs,
    clock: () => Date.now() + 120_000,
    database: { ...trial.database, ...database },
    maxFileBytes: 1000,
    maxUnfinishedFiles: 10,
    settleMs: 0,
    folderUid: trial.folderUid,
    leases: trial.leases,
  });
  const { drop } = await trial.makeDrop();
  const folders = files.foldersOf(drop);
  const path = ['incoming', 'a.jpg'];
  const upload = await folders.receive(path, { at: 'begin' });
  await upload.write(Buffer.from('pict'));
  isFull = true;
  await expect(upload.finish()).rejects.toMatchObject({ code: 'full' });
  // A row is put on disk while the first bytes come, so that it is these that are refused.
  const other = await folders.receive(['incoming', 'b.jpg'], { at: 'begin' });
  await expect(other.write(Buffer.from('pict'))).rejects.toMatchObject({ code: 'full' });
  await expect(other.cut()).rejects.toMatchObject({ code: 'full' });
  await expect(folders.makeFolder(['incoming', 'c'])).rejects.toMatchObject({ code: 'full' });
  await expect(folders.removeFile(path)).rejects.toMatchObject({ code: 'full' });
  isFull = false;
  expect(await trial.waiting()).toEqual([]);

  // The end of that transfer could not be written down; it is when there is room.
  const { query } = trial.database;
  await trial.database.write([
    query.updateTable('drop_file').set({ modified_at: 1 }).where('drop_id', '=', drop.dropId),
  ]);
  expect(await files.recoverCut()).toBe(1);
  await put(folders, path, 'ure', { at: 'offset', offsetBytes: 4 });
  expect(await trial.waiting()).toHaveLength(1);
  const rows = (await trial.rows()).map(({ name, state, size_bytes }) => [name, state, size_bytes]);
  expect(rows).toEqual([['a.jpg', 'arrived', 7]]);
});
