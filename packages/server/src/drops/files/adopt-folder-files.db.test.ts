import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type DropTrial, openDropTrial, put, putCut, readAll } from '../fixtures/drop-trial.js';
import { adoptFolderFiles } from './adopt-folder-files.js';
import type { DropRef } from './file-rows.js';

let trial: DropTrial;
let drop: DropRef;
beforeAll(async () => {
  trial = await openDropTrial({ place: 'bucket' });
});
afterAll(() => trial.close());
beforeEach(async () => {
  trial.bucket.isAway = false;
  ({ drop } = await trial.makeDrop());
});

/** Files of a service that had no bucket yet. */
const beforeBucket = () => {
  const { inFolder: bytes, folderUid } = trial;
  return trial.openFiles({ bytes, folderUid }).foldersOf(drop);
};
const inBucket = () => trial.files.foldersOf(drop);
const adopt = () => adoptFolderFiles({ ...trial, dropsDir: join(trial.dir, 'drops') });
const idsInFolder = async () => {
  const ids: string[] = [];
  for await (const { id } of trial.inFolder.list()) ids.push(id);
  return ids;
};
const at = (name: string) => ['incoming', name];

test('files of before the bucket are moved into it, and any service can go on with them', async () => {
  const before = beforeBucket();
  await put(before, at('whole.jpg'), 'whole file');
  await put(before, at('empty.jpg'), '');
  await putCut(before, at('cut.jpg'), 'half');
  expect(
    await inBucket()
      .read(at('whole.jpg'), 0)
      .catch(() => null),
  ).toBeNull();
  trial.bucket.isAway = true;
  await expect(adopt()).rejects.toMatchObject({ code: 'away' });
  expect(await idsInFolder()).toHaveLength(3);

  trial.bucket.isAway = false;
  expect(await adopt()).toEqual({ files: 3, failed: [] });
  expect(await readAll(inBucket(), at('whole.jpg'))).toBe('whole file');
  expect(await readAll(inBucket(), at('empty.jpg'))).toBe('');
  await put(inBucket(), at('cut.jpg'), ' and half', { at: 'end', knownBytes: 4 });
  expect(await readAll(inBucket(), at('cut.jpg'))).toBe('half and half');
  expect(await idsInFolder()).toEqual([]);
  const ofFolder = await trial.database.query
    .selectFrom('job')
    .select('id')
    .where('folder_uid', '=', trial.folderUid)
    .execute();
  expect(ofFolder).toEqual([]);
  expect((await trial.rows()).map(({ folder_uid }) => folder_uid)).toEqual([null, null, null]);
  expect(await adopt()).toEqual({ files: 0, failed: [] });
});

test('a file that is in the bucket already is not replaced, and one without a row stays where it is', async () => {
  await put(beforeBucket(), at('both.jpg'), 'old');
  const id = (await trial.rows()).find(({ name }) => name === 'both.jpg')?.id ?? '';
  await trial.bytes.put(id, Readable.from([Buffer.from('newer')]), []);
  const nobodys = 'nobodys-file-1';
  await trial.inFolder.put(nobodys, Readable.from([Buffer.from('bytes')]), []);
  await mkdir(join(trial.dir, 'drops', 'not-a-shard'), { recursive: true });
  expect(await adopt()).toEqual({ files: 1, failed: [] });
  expect(await readAll(inBucket(), at('both.jpg'))).toBe('newer');
  expect(await idsInFolder()).toEqual([nobodys]);
});
