import { readdir, utimes, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dataFolder } from '../../storage/data-folder.js';
import type { Database } from '../../storage/database.js';
import { sweepOnce } from '../../storage/fixtures/sweep-once.js';
import { openSweepGuard } from '../../storage/quarantine/open-quarantine.js';
import type { DropFolders } from '../drop-folders.js';
import { type DropTrial, openDropTrial, put } from '../fixtures/drop-trial.js';
import { insertBeside } from '../pipeline/insert-beside.js';
import { arriveHeldFiles } from './arrive-held.js';
import { type FilePart, partId } from './file-parts.js';
import type { DropRef, FileRow } from './file-rows.js';
import { insertEvent } from './file-rows.js';
import { purgeFiles } from './remove-files.js';
import { sweepDropFiles } from './sweep-files.js';
import { sweptDropBytes } from './swept-bytes.js';

const dayMs = 86_400_000;
const now = Date.now();

let trial: DropTrial;
let folders: DropFolders;
let drop: DropRef;
beforeAll(async () => {
  trial = await openDropTrial();
});
afterAll(() => trial.close());
beforeEach(async () => {
  ({ folders, drop } = await trial.makeDrop());
});

const sweep = (atMs = now) => sweepDropFiles(trial, atMs);
const sweepBytes = () =>
  sweepOnce(sweptDropBytes(trial.database, trial.inFolder), dataFolder(trial.dir), now);
const rowsHere = async () => (await trial.rows()).filter(({ drop_id }) => drop_id === drop.dropId);

/** A file that came, as it is in another state later. */
async function makeFile(name: string, change: Partial<FileRow>): Promise<string> {
  await put(folders, ['incoming', name], name);
  const row = (await rowsHere()).find((each) => each.name === name && each.area === 'incoming');
  const id = row?.id ?? '';
  const { query } = trial.database;
  await trial.database.write([
    query.updateTable('drop_file').set(change).where('id', '=', id),
    insertEvent(trial.database, drop.accountId, { fileId: id, at: now, what: String(change.state) }),
  ]);
  return id;
}

async function writePart(id: string, part: FilePart, ageMs: number): Promise<void> {
  const path = await trial.inFolder.pathOf(partId(id, part));
  // Its folder is there where the file's is.
  await writeFile(path, part);
  const at = new Date(now - ageMs);
  await utimes(path, at, at);
}

async function makeOld(id: string): Promise<void> {
  const at = new Date(now - dayMs);
  await utimes(await trial.inFolder.pathOf(id), at, at);
}

const sizesOf = (id: string, parts: readonly FilePart[]) =>
  Promise.all(parts.map((part) => trial.bytes.sizeOf(partId(id, part))));

describe('what never arrived', () => {
  test('goes as long after it came as what failed; what can still be gone on with stays', async () => {
    const long = { modified_at: now - 91 * dayMs };
    const short = { modified_at: now - 89 * dayMs };
    const hidden = await makeFile('._IMG_1.jpg', { state: 'held', ...long });
    const cut = await makeFile('cut.jpg', { state: 'partial', ...long });
    await makeFile('.new.jpg', { state: 'held', ...short });
    await makeFile('new.jpg', { state: 'partial', ...short });
    await makeFile('waits.jpg', { state: 'arrived', ...long });
    await sweep();
    expect((await rowsHere()).map(({ name }) => name).sort()).toEqual(['.new.jpg', 'new.jpg', 'waits.jpg']);
    for (const id of [hidden, cut]) expect(await sizesOf(id, ['original'])).toEqual([0]);
  });
});

test('what has a temporary name for an hour arrives under it', async () => {
  await makeFile('~beach.jpg', { state: 'held', modified_at: now - 61 * 60_000 });
  await makeFile('x.part', { state: 'held', modified_at: now - 59 * 60_000 });
  await arriveHeldFiles({ database: trial.database, jobs: trial.jobs, settleMs: 0 }, now);
  expect((await rowsHere()).map(({ name, state }) => [name, state]).sort()).toEqual([
    ['x.part', 'held'],
    ['~beach.jpg', 'arrived'],
  ]);
  const ids = (await rowsHere()).filter(({ state }) => state === 'arrived').map(({ id }) => id);
  expect(await trial.waiting()).toEqual(expect.arrayContaining(ids));
});

test.each([
  ['deletes', (id: string) => [trial.database.query.deleteFrom('drop_file').where('id', '=', id)]],
  [
    'renames',
    (id: string) => [
      trial.database.query.updateTable('drop_file').set({ state: 'arrived' }).where('id', '=', id),
      trial.jobs.insert(drop.accountId, { kind: 'drop_file', subject: id, payload: null }).statement,
    ],
  ],
])('a client that %s a held file as it arrives keeps no other from arriving', async (_what, change) => {
  const long = { state: 'held', modified_at: now - 61 * 60_000 } as const;
  const ids = [await makeFile('~a.jpg', long), await makeFile('~b.jpg', long)];
  let isChanged = false;
  const database: Database = {
    ...trial.database,
    async write(...unit) {
      const { query } = trial.database;
      const rows = await query.selectFrom('drop_file').select('id').where('state', '=', 'held').execute();
      const [first] = rows;
      if (!isChanged && first !== undefined) await trial.database.write(change(first.id));
      isChanged = true;
      return trial.database.write(...unit);
    },
  };
  await arriveHeldFiles({ database, jobs: trial.jobs, settleMs: 0 }, now);
  const rest = (await rowsHere()).map(({ id, state }) => [id, state]);
  expect(rest.map(([, state]) => state)).not.toContain('held');
  expect(ids).toEqual(expect.arrayContaining(rest.map(([id]) => id)));
  expect(rest.length).toBeGreaterThan(0);
});

test('a drop whose settings cannot be read keeps no other from being swept', async () => {
  const damage = (settings: string) => {
    const { query } = trial.database;
    return trial.database.write([
      query.updateTable('drop_box').set({ settings }).where('id', '=', drop.dropId),
    ]);
  };
  await damage('{"keepDoneDays":-1}');
  const damaged = drop;
  ({ folders, drop } = await trial.makeDrop());
  await makeFile('cut.jpg', { state: 'partial', modified_at: now - 91 * dayMs });
  await expect(sweep()).rejects.toThrow();
  expect(await rowsHere()).toEqual([]);
  drop = damaged;
  await damage('{}');
});

/** A database in which failed files are retried right before the next unit. */
const retriedMeanwhile = (): Database => ({
  ...trial.database,
  async write(...unit) {
    const { query } = trial.database;
    await trial.database.write([
      query.updateTable('drop_file').set({ state: 'arrived', ended_at: null }).where('state', '=', 'failed'),
    ]);
    return trial.database.write(...unit);
  },
});

describe('what failed and is retried meanwhile', () => {
  const events = (id: string) =>
    trial.database.query.selectFrom('drop_event').select('what').where('file_id', '=', id).execute();

  test.each(['sweep', 'purge'])('keeps its bytes and its history in a %s', async (by) => {
    const id = await makeFile(`${by}.jpg`, { area: 'failed', state: 'failed', ended_at: now - 91 * dayMs });
    const database = retriedMeanwhile();
    if (by === 'sweep') await sweepDropFiles({ ...trial, database }, now);
    else expect(await purgeFiles({ ...trial, database }, drop, 'failed')).toMatchObject({ files: 0 });
    expect(await sizesOf(id, ['original'])).toEqual([`${by}.jpg`.length]);
    expect(await events(id)).not.toEqual([]);
  });
});

describe('what has ended', () => {
  test('is kept for the days that its drop says, and goes then with history and bytes', async () => {
    const location = { parent: '2026-01-01' } as const;
    const old = await makeFile('old.jpg', {
      state: 'done',
      area: 'done',
      ...location,
      delivered_to: '/srv/old.jpg',
      ended_at: now - 8 * dayMs,
    });
    const young = await makeFile('young.jpg', {
      state: 'done',
      area: 'done',
      ...location,
      delivered_to: '/srv/young.jpg',
      ended_at: now - 6 * dayMs,
    });
    const failed = await makeFile('failed.jpg', {
      state: 'failed',
      area: 'failed',
      ...location,
      ended_at: now - 89 * dayMs,
    });
    const waiting = await makeFile('waiting.jpg', { state: 'written' });
    await writePart(old, 'image', 0);
    await sweep();
    expect((await rowsHere()).map(({ id }) => id).sort()).toEqual([young, failed, waiting].sort());
    expect(await sizesOf(old, ['original', 'image'])).toEqual([0, 0]);
    const { query } = trial.database;
    const events = await query.selectFrom('drop_event').select('what').where('file_id', '=', old).execute();
    expect(events).toEqual([]);
    expect(await sizesOf(young, ['original'])).toEqual([9]);

    // Two days on, the failed one's time is over too.
    await sweep(now + 2 * dayMs);
    expect((await rowsHere()).map(({ id }) => id)).toEqual([waiting]);
    expect(await sizesOf(failed, ['original'])).toEqual([0]);
    expect(await sizesOf(waiting, ['original'])).toEqual([11]);
  });

  test('and was delivered goes with its sidecar', async () => {
    const ended = { state: 'done', area: 'done', parent: '2026-01-01', ended_at: now - 8 * dayMs } as const;
    const id = await makeFile('IMG_1.CR2', { ...ended, delivered_to: '/srv/IMG_1.CR2' });
    await writePart(id, 'sidecar', 0);
    await trial.database.write([
      insertBeside(trial.database, id, {
        ...{
          id: partId(id, 'sidecar'),
          name: 'IMG_1.xmp',
          state: 'done',
          sizeBytes: 7,
          now: now - 8 * dayMs,
        },
      } as const),
    ]);
    const other = await makeFile('young.jpg', { ...ended, ended_at: now, delivered_to: '/srv/young.jpg' });
    await sweep();
    expect((await rowsHere()).map((row) => row.id)).toEqual([other]);
    expect(await sizesOf(id, ['original', 'sidecar'])).toEqual([0, 0]);
  });

  test('and was delivered nowhere is kept, whatever its age', async () => {
    const here = { state: 'done', area: 'done', parent: '2020-01-01', delivered_to: null } as const;
    const id = await makeFile('only.jpg', { ...here, ended_at: now - 3000 * dayMs });
    await sweep();
    expect((await rowsHere()).map((row) => row.id)).toEqual([id]);
    expect(await sizesOf(id, ['original'])).toEqual([8]);
  });

  test('goes by thousands too', async () => {
    const row = (n: number) => ({
      id: `${drop.dropId}-ended-${n}`,
      account_id: drop.accountId,
      drop_id: drop.dropId,
      area: 'done' as const,
      parent: '2026-01-01',
      name: `${n}.jpg`,
      state: 'done' as const,
      delivered_to: '/srv/images',
      size_bytes: 1,
      created_at: 1,
      modified_at: 1,
      ended_at: 1,
    });
    for (let at = 0; at < 1000; at += 500) {
      const some = Array.from({ length: 500 }, (_, n) => row(at + n));
      await trial.database.write([trial.database.query.insertInto('drop_file').values(some)]);
    }
    await sweep();
    expect(await rowsHere()).toEqual([]);
  });
});

describe('bytes', () => {
  test('that no row names are quarantined when they are an hour old, and not before', async () => {
    const kept = await makeFile('kept.jpg', { state: 'arrived' });
    const shard = kept.slice(0, 2);
    const [orphan, young] = [
      `${shard}000000-0000-4000-8000-000000000001`,
      `${shard}000000-0000-4000-8000-000000000002`,
    ];
    await writePart(orphan, 'original', 2 * 3_600_000);
    await writePart(orphan, 'image', 2 * 3_600_000);
    await writePart(young, 'original', 1000);
    await makeOld(kept);
    await sweepBytes();
    expect(await sizesOf(orphan, ['original', 'image'])).toEqual([0, 0]);
    expect(await sizesOf(young, ['original'])).toEqual([8]);
    expect(await sizesOf(kept, ['original'])).toEqual([8]);
  });

  test('of what is still worked on, or failed, are kept with all their parts; of what is done, the shown one', async () => {
    const parts: readonly FilePart[] = ['original', 'preview', 'image', 'sidecar'];
    const make = async (name: string, change: Partial<FileRow>) => {
      const id = await makeFile(name, change);
      await makeOld(id);
      for (const part of ['preview', 'image', 'sidecar'] as const) await writePart(id, part, dayMs);
      return id;
    };
    const written = await make('written.jpg', { state: 'written' });
    const ended = { parent: '2026-02-01', ended_at: now };
    const failed = await make('failed.jpg', { state: 'failed', area: 'failed', ...ended });
    const output = '{"files":[{"part":"image"}]}';
    const done = await make('done.jpg', { state: 'done', area: 'done', ...ended, output });
    const plain = await make('plain.txt', { state: 'done', area: 'done', ...ended, output: null });
    await sweepBytes();
    expect(await sizesOf(written, parts)).toEqual([11, 7, 5, 7]);
    expect(await sizesOf(failed, parts)).toEqual([10, 7, 5, 7]);
    expect(await sizesOf(done, parts)).toEqual([0, 0, 5, 0]);
    expect(await sizesOf(plain, parts)).toEqual([9, 0, 0, 0]);
  });

  test('of more files than are looked up at once are distinguished as well', async () => {
    const kept = await makeFile('one.jpg', { state: 'arrived' });
    await makeOld(kept);
    const shard = kept.slice(0, 2);
    for (let n = 0; n < 700; n += 1) {
      await writePart(
        `${shard}000000-0000-4000-8000-${String(n + 1000).padStart(12, '0')}`,
        'original',
        dayMs,
      );
    }
    expect(await sweepBytes()).toMatchObject({ quarantined: 0, blocked: { orphans: 700 } });
    await openSweepGuard(dataFolder(trial.dir), null).confirm('drops', now);
    expect(await sweepBytes()).toMatchObject({ quarantined: 700, blocked: null });
    const folder = (await trial.inFolder.pathOf(kept)).slice(0, -kept.length);
    const left = await readdir(folder);
    expect(left).toContain(kept);
    expect(left.filter((name) => name.includes('000000-0000-4000'))).toEqual([]);
  });
});

test('a transfer that could not be written down as over is ended by and by, and its client goes on with it', async () => {
  const upload = await folders.receive(['incoming', 'a.jpg'], { at: 'begin' });
  await upload.write(Buffer.from('half'));
  const path = ['incoming', 'b.jpg'];
  const live = await folders.receive(path, { at: 'begin' });
  await live.write(Buffer.from('live'));
  const { database } = trial;
  const old = { modified_at: now - 3_600_000 };
  await database.write([
    database.query.updateTable('drop_file').set(old).where('state', '=', 'receiving'),
    // The end of the one cannot be written down.
    database.query.updateTable('drop_file').set({ state: 'held' }).where('name', '=', 'a.jpg'),
  ]);
  await upload.cut();
  await database.write([
    database.query.updateTable('drop_file').set({ state: 'receiving' }).where('name', '=', 'a.jpg'),
  ]);
  expect(await trial.files.recoverCut()).toBe(1);
  expect((await rowsHere()).map(({ name, state }) => [name, state])).toEqual([
    ['a.jpg', 'partial'],
    ['b.jpg', 'receiving'],
  ]);
  await put(folders, ['incoming', 'a.jpg'], 'more', { at: 'end' });
  await live.finish();
  expect((await rowsHere()).map(({ name, state, size_bytes }) => [name, state, size_bytes])).toEqual([
    ['a.jpg', 'arrived', 8],
    ['b.jpg', 'arrived', 4],
  ]);
});
