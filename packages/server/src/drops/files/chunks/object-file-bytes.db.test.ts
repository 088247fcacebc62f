import { randomUUID } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../../storage/database.js';
import { createProcessLeases } from '../../../storage/leases/process-leases.js';
import { createObjectBlobs } from '../../../storage/objects/object-blobs.js';
import { StorageError } from '../../../storage/storage-error.js';
import { type DropTrial, openDropTrial, put, putCut, readAll } from '../../fixtures/drop-trial.js';
import { partId } from '../file-parts.js';
import type { DropRef } from '../file-rows.js';
import { contentKey, createChunkRows } from './chunk-rows.js';
import { sweepChunkRows, sweptChunks } from './swept-chunks.js';

const path = ['incoming', 'a.jpg'];
let trial: DropTrial;
let drop: DropRef;
beforeAll(async () => {
  trial = await openDropTrial({ place: 'bucket' });
});
afterAll(() => trial.close());
beforeEach(async () => {
  await trial.database.write([
    trial.database.query.deleteFrom('drop_file'),
    trial.database.query.deleteFrom('drop_file_chunk'),
  ]);
  trial.bucket.objects.clear();
  trial.bucket.isAway = false;
  ({ drop } = await trial.makeDrop());
});

/** A service with a data folder of its own. */
async function startReplica(name: string, database: Database = trial.database) {
  const leases = createProcessLeases({ database, folderUid: name, isAlone: false });
  const bytes = await trial.openBytes(database);
  const files = trial.openFiles({ database, bytes, leases });
  return { bytes, files, folders: files.foldersOf(drop) };
}
const rows = () =>
  trial.database.query.selectFrom('drop_file_chunk').selectAll().orderBy('offset_bytes').execute();
const sizes = async () => (await rows()).map(({ size_bytes }) => size_bytes);
/** Those of objects that rows name, and those that there are. */
const expectNoOrphans = async () => {
  const named = (await rows()).map(({ object_id }) => `drops/${object_id}`).sort();
  expect([...trial.bucket.objects.keys()].sort()).toEqual(named);
};

describe('a file in a bucket', () => {
  test('that is cut on one replica is resumed on another, also within a chunk, and read on a third', async () => {
    const [one, two, three] = [await startReplica('1'), await startReplica('2'), await startReplica('3')];
    await putCut(one.folders, path, 'abcdefghij');
    expect(await sizes()).toEqual([4, 4, 2]);
    await putCut(two.folders, path, 'FGHIJKL', { at: 'offset', offsetBytes: 5 });
    expect(await sizes()).toEqual([4, 1, 4, 3]);
    await put(one.folders, path, 'mn', { at: 'end' });
    expect(await readAll(three.folders, path)).toBe('abcdeFGHIJKLmn');
    expect(await readAll(three.folders, path, 4)).toBe('eFGHIJKLmn');
    await expectNoOrphans();
    await three.folders.removeFile(path);
    await expectNoOrphans();
    expect(trial.bucket.objects.size).toBe(0);
  });

  test('keeps what was acknowledged where its replica is killed', async () => {
    const [one, two] = [await startReplica('1'), await startReplica('2')];
    const upload = await one.folders.receive(path, { at: 'begin' });
    await upload.write(Buffer.from('abcdef'));
    // A start on the data folder of the dead service ends its transfers at once.
    expect(await (await startReplica('1')).files.recoverCut()).toBe(1);
    await expect(two.folders.receive(path, { at: 'offset', offsetBytes: 5 })).rejects.toMatchObject({
      code: 'offset',
    });
    await put(two.folders, path, 'EF', { at: 'end' });
    expect(await readAll(two.folders, path)).toBe('abcdEF');
    // What the dead one would write is refused.
    await expect(upload.write(Buffer.from('gh'))).rejects.toMatchObject({ code: 'busy' });
    await upload.cut();
    expect(await readAll(two.folders, path)).toBe('abcdEF');
  });

  test('takes up where the store comes back after it was away', async () => {
    const one = await startReplica('1');
    const upload = await one.folders.receive(path, { at: 'begin' });
    await upload.write(Buffer.from('abcde'));
    trial.bucket.isAway = true;
    const away = { name: 'DropError', code: 'away' };
    await expect(upload.write(Buffer.from('fghijk'))).rejects.toMatchObject(away);
    await expect(upload.sync()).rejects.toMatchObject(away);
    trial.bucket.isAway = false;
    await upload.cut();
    const [row] = await trial.rows();
    expect(row).toMatchObject({ state: 'partial', size_bytes: 8 });
    await put(one.folders, path, 'ijk', { at: 'offset', offsetBytes: 8 });
    expect(await readAll(one.folders, path)).toBe('abcdefghijk');
    trial.bucket.isAway = true;
    await expect(readAll(one.folders, path)).rejects.toMatchObject(away);
  });

  test('stays resumable from its last object where the store is away to the end', async () => {
    const one = await startReplica('1');
    const upload = await one.folders.receive(path, { at: 'begin' });
    await upload.write(Buffer.from('abcdef'));
    trial.bucket.isAway = true;
    await expect(upload.finish()).rejects.toMatchObject({ code: 'away' });
    trial.bucket.isAway = false;
    expect(await trial.rows()).toMatchObject([{ state: 'partial', size_bytes: 4 }]);
    await put(one.folders, path, 'efgh', { at: 'end', knownBytes: 4 });
    expect(await readAll(one.folders, path)).toBe('abcdefgh');
  });

  test('is not appended to where its first transfer writes its last bytes after the size was asked for', async () => {
    const [one, two] = [await startReplica('1'), await startReplica('2')];
    const upload = await one.folders.receive(path, { at: 'begin' });
    await upload.write(Buffer.from('abcdef'));
    const knownBytes = (await two.folders.find(path))?.sizeBytes ?? 0;
    expect(knownBytes).toBe(4);
    const rest = { at: 'end', knownBytes } as const;
    await expect(two.folders.receive(path, rest)).rejects.toMatchObject({ code: 'busy' });
    await upload.cut();
    await expect(two.folders.receive(path, rest)).rejects.toMatchObject({ code: 'busy' });
    await put(two.folders, path, 'ghij', { at: 'end', knownBytes: 6 });
    // Its work has begun: a tail would be another file.
    await trial.database.write([trial.database.query.updateTable('drop_file').set({ state: 'predicted' })]);
    await expect(two.folders.receive(path, rest)).rejects.toMatchObject({ code: 'busy' });
    expect(await readAll(one.folders, path)).toBe('abcdefghij');
  });

  test('is resumed by one of two who read its row at once', async () => {
    const [one, two] = [await startReplica('1'), await startReplica('2')];
    await putCut(one.folders, path, 'ab');
    let isFirst = true;
    const late = await startReplica('3', {
      ...trial.database,
      async write(...unit) {
        if (isFirst) {
          isFirst = false;
          await putCut(two.folders, path, 'cdef', { at: 'end' });
        }
        return trial.database.write(...unit);
      },
    });
    await expect(late.folders.receive(path, { at: 'end' })).rejects.toMatchObject({ code: 'busy' });
    expect(await readAll(one.folders, path)).toBe('abcdef');
    await expectNoOrphans();
  });

  test('shows the bytes that it has where the answer to its truncation was lost', async () => {
    const one = await startReplica('1');
    await putCut(one.folders, path, 'abcdefgh');
    let writes = 0;
    const lossy = await startReplica('2', {
      ...trial.database,
      async write(...unit) {
        const results = await trial.database.write(...unit);
        writes += 1;
        // The first takes the file over.
        if (writes === 2) throw new StorageError('lost', 'the answer was lost');
        return results;
      },
    });
    const start = { at: 'offset', offsetBytes: 3 } as const;
    await expect(lossy.folders.receive(path, start)).rejects.toMatchObject({ code: 'lost' });
    expect(await trial.rows()).toMatchObject([{ state: 'partial', size_bytes: 3 }]);
    await put(one.folders, path, 'DE', { at: 'end' });
    expect(await readAll(one.folders, path)).toBe('abcDE');
  });

  test('is whole where the answer to a commit was lost', async () => {
    let isLossy = false;
    const lossy: Database = {
      ...trial.database,
      async write(...unit) {
        const results = await trial.database.write(...unit);
        if (isLossy) throw new StorageError('lost', 'the answer was lost');
        return results;
      },
    };
    const one = await startReplica('1', lossy);
    const upload = await one.folders.receive(path, { at: 'begin' });
    await upload.write(Buffer.from('ab'));
    isLossy = true;
    await upload.write(Buffer.from('cdefgh'));
    await upload.sync();
    isLossy = false;
    await upload.finish();
    expect(await readAll(one.folders, path)).toBe('abcdefgh');
    await expectNoOrphans();
  });

  test('is on this machine while it is held, and is damaged where an object has other bytes', async () => {
    const [one, two] = [await startReplica('1'), await startReplica('2')];
    await put(one.folders, path, 'abcdefghij');
    const id = (await trial.rows())[0]?.id ?? '';
    const held = await two.bytes.hold(id);
    expect(await readFile(held?.path ?? '', 'utf8')).toBe('abcdefghij');
    held?.release();
    await two.bytes.remove(id);
    await expect(stat(held?.path ?? '')).rejects.toThrow(/ENOENT/);
    expect(await two.bytes.hold(id)).toBeNull();

    await put(one.folders, ['incoming', 'b.jpg'], 'abcdefghij');
    const [first] = [...trial.bucket.objects];
    if (first) trial.bucket.objects.set(first[0], { ...first[1], bytes: Buffer.from('wxyz') });
    await expect(readAll(two.folders, ['incoming', 'b.jpg'])).rejects.toMatchObject({ code: 'damaged' });
  });

  test('without a byte is there, and goes on', async () => {
    const one = await startReplica('1');
    await put(one.folders, path, '');
    expect(await readAll(one.folders, path)).toBe('');
    const held = await one.bytes.hold((await trial.rows())[0]?.id ?? '');
    expect(await readFile(held?.path ?? '', 'utf8')).toBe('');
    await put(one.folders, path, 'ab', { at: 'end' });
    expect(await readAll(one.folders, path)).toBe('ab');
    await expectNoOrphans();
  });

  test('gets a part whole or not at all: a job that lost its lease replaces nothing', async () => {
    const { bytes, folders } = await startReplica('1');
    await put(folders, path, 'original');
    const id = partId((await trial.rows())[0]?.id ?? '', 'image');
    const content = async function* (words: string) {
      yield Buffer.from(words);
    };
    await bytes.put(id, content('with keywords'), []);
    await bytes.put(id, content('with other keywords'), []);
    await expectNoOrphans();
    const { query } = trial.database;
    const refused = query
      .insertInto('drop_file_chunk')
      .columns(['bytes_id'])
      .values({ bytes_id: 'x' } as never);
    await expect(bytes.put(id, content('late'), [refused])).rejects.toMatchObject({ code: 'not-null' });
    expect(await text((await bytes.read(id, 0)) ?? Readable.from([]))).toBe('with other keywords');
  });
});

describe('sweeps', () => {
  test('delete rows that no file needs once they are old, and objects that no row names are orphans', async () => {
    const { bytes, folders } = await startReplica('1');
    const content = async function* () {
      yield Buffer.from('abc');
    };
    for (const name of ['kept', 'done', 'gone']) await put(folders, ['incoming', name], name);
    const ids = new Map((await trial.rows()).map(({ name, id }) => [name, id]));
    const idOf = (name: string) => ids.get(name) ?? '';
    await bytes.put(partId(idOf('kept'), 'image'), content(), []);
    await bytes.put(partId(idOf('done'), 'image'), content(), []);
    const { database } = trial;
    const { query } = database;
    const output = JSON.stringify({ files: [{ part: 'image' }] });
    await database.write([
      query.updateTable('drop_file').set({ state: 'done', output }).where('id', '=', idOf('done')),
      query.deleteFrom('drop_file').where('id', '=', idOf('gone')),
    ]);
    const named = async () => [...new Set((await rows()).map(({ bytes_id }) => bytes_id))].sort();
    const all = await named();
    await sweepChunkRows(database, Date.now());
    expect(await named()).toEqual(all);
    await sweepChunkRows(database, Date.now() + 2 * 3_600_000);
    const needed = [idOf('kept'), partId(idOf('kept'), 'image'), partId(idOf('done'), 'image')].sort();
    expect(await named()).toEqual(needed);

    const swept = sweptChunks(database, createObjectBlobs(trial.bucket, trial.cache, 'drops'));
    const objects: string[] = [];
    for await (const { id } of swept.list()) objects.push(id);
    const found = await swept.findNamed(objects);
    expect(objects.length - found.size).toBe(2);
    expect([...found].sort()).toEqual((await rows()).map(({ object_id }) => object_id).sort());
  });

  test('keep files on this machine whose content is as the rows say, and no others', async () => {
    const { folders } = await startReplica('1');
    await put(folders, path, 'abcdefghij');
    const [file] = await trial.rows();
    const id = file?.id ?? '';
    const nameOf = (bytesId: string, chunks: Parameters<typeof contentKey>[1]) =>
      contentKey(bytesId, chunks).slice('drops-'.length);
    const chunks = await createChunkRows(trial.database).read(id);
    const [whole, begun, other] = [
      nameOf(id, chunks),
      nameOf(id, chunks.slice(0, 1)),
      nameOf(partId(randomUUID(), 'sidecar'), chunks),
    ];
    const swept = sweptChunks(trial.database, createObjectBlobs(trial.bucket, trial.cache, 'drops'));
    expect(await swept.findNamedCopies?.([begun, whole, other])).toEqual(new Set([whole]));
    await folders.removeFile(path);
    expect(await swept.findNamedCopies?.([whole])).toEqual(new Set());
  });
});
