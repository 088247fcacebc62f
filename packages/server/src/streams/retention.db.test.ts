import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '../storage/database.js';
import { createStreamDeletion } from './deletion.js';
import { endAbandonedTracks } from './end-abandoned.js';
import { createStreamEvents } from './events.js';
import { insertTrack, type NewTestTrack } from './fixtures/insert-track.js';
import { openStreamDatabase, type StreamDatabase } from './fixtures/stream-database.js';
import { removeHiddenTracks } from './hidden-tracks.js';
import { sweepStreams } from './retention.js';
import { holdStream, streamLeaseName } from './running/hold-stream.js';
import { createTracks } from './tracks.js';

let stored: StreamDatabase;
let streamId = 0;
beforeAll(async () => {
  stored = await openStreamDatabase();
});
afterAll(() => stored.close());
beforeEach(() => {
  streamId += 1;
});

const day = 86_400_000;
const add = (wanted: Partial<NewTestTrack> = {}) =>
  insertTrack(stored, { accountId: stored.accountId, streamId, ...wanted });
const sweep = (options: { eventDays?: number; maxMediaBytes?: number } = {}) =>
  sweepStreams({
    ...{ database: stored.database, clock: stored.clock, files: stored.media.files },
    ...{ eventDays: 14, maxMediaBytes: 0, ...options },
  });
const read = (id: string) => createTracks(stored).read(stored.accountId, id);
const ids = async (table: 'stream_track' | 'media_blob') => {
  const { query } = stored.database;
  const rows =
    table === 'stream_track'
      ? await query.selectFrom('stream_track').select('id').where('stream_id', '=', streamId).execute()
      : await query.selectFrom('media_blob').select('blob_id as id').execute();
  return rows.map(({ id }) => id);
};
const filesLeft = async () => {
  const found: string[] = [];
  for await (const { id } of stored.media.files.list()) found.push(id);
  return found;
};
const bytes = (count: number) => Buffer.alloc(count, 'x');

test('what ended longer ago than its days goes, with events and files; what is followed still stays', async () => {
  await stored.insertStream(streamId);
  const now = Date.now();
  const old = await add({ startedAtMs: now - 15 * day, snapshot: bytes(10), clip: bytes(10) });
  const parked = await add({ startedAtMs: now - 15 * day, kinds: ['start', 'update'] });
  const young = await add({ startedAtMs: now - 13 * day });
  const { snapshotId } = await read(old);
  await sweep();
  expect((await ids('stream_track')).toSorted()).toEqual([parked, young].toSorted());
  expect(await filesLeft()).not.toContain(snapshotId);
  const events = await createStreamEvents(stored.database).list(
    stored.accountId,
    { streamId },
    { limit: 100, after: undefined },
  );
  expect(events.items.map(({ data }) => data.track_id)).not.toContain(old);
});

test('a stream keeps its own for as long as it says', async () => {
  await stored.insertStream(streamId, { keepDays: 2 });
  const now = Date.now();
  await add({ startedAtMs: now - 3 * day });
  const young = await add({ startedAtMs: now - day });
  await sweep();
  expect(await ids('stream_track')).toEqual([young]);
});

test('of more bytes than an account may have, the oldest clips go, then the oldest snapshots, and nothing of what is followed', async () => {
  await stored.insertStream(streamId);
  const now = Date.now();
  const open = await add({ startedAtMs: now - 4 * day, kinds: ['start'], snapshot: bytes(100) });
  const [first, second, third] = [
    await add({ startedAtMs: now - 3 * day, snapshot: bytes(100), clip: bytes(1000) }),
    await add({ startedAtMs: now - 2 * day, snapshot: bytes(100), clip: bytes(1000) }),
    await add({ startedAtMs: now - day, snapshot: bytes(100), clip: bytes(1000) }),
  ];
  await sweep({ maxMediaBytes: 1500 });
  expect([await read(first), await read(second), await read(third)]).toMatchObject([
    { clipId: null, snapshotId: expect.any(String) },
    { clipId: null, snapshotId: expect.any(String) },
    { clipId: expect.any(String), snapshotId: expect.any(String) },
  ]);
  await sweep({ maxMediaBytes: 250 });
  expect([await read(first), await read(second), await read(third), await read(open)]).toMatchObject([
    { clipId: null, snapshotId: null },
    { clipId: null, snapshotId: null },
    { clipId: null, snapshotId: expect.any(String) },
    { snapshotId: expect.any(String) },
  ]);
  expect((await filesLeft()).toSorted()).toEqual((await ids('media_blob')).toSorted());
});

const setState = (updatedAt: number) => {
  const { query, write } = stored.database;
  return write([
    query
      .insertInto('stream_state')
      .values({
        ...{ account_id: stored.accountId, stream_id: streamId, state: 'running', reason: null },
        ...{ since: 1, analysed_millifps: 1, width: 1, height: 1, last_frame_at: 1, updated_at: updatedAt },
      })
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'stream_id']).doUpdateSet({ updated_at: updatedAt }),
      ),
  ]);
};
const endAbandoned = () =>
  endAbandonedTracks({
    database: stored.database,
    clock: stored.clock,
    leases: stored.openLeases(),
  });

test('tracks of a stream that nobody runs end, once; those of one that is run do not', async () => {
  await stored.insertStream(streamId);
  const id = await add({ kinds: ['start'] });
  await setState(Date.now());
  await endAbandoned();
  expect((await read(id)).endedAt).toBeNull();

  await setState(Date.now() - 120_000);
  const leases = stored.openLeases();
  const hold = await holdStream(
    { database: stored.database, leases },
    streamLeaseName(stored.accountId, streamId),
  );
  await endAbandoned();
  expect((await read(id)).endedAt).toBeNull();
  await hold?.release();

  await endAbandoned();
  await endAbandoned();
  expect((await read(id)).endedAt).toEqual(expect.any(Number));
  const events = await createStreamEvents(stored.database).list(
    stored.accountId,
    { trackId: id },
    { limit: 10, after: undefined },
  );
  expect(events.items.map(({ kind }) => kind)).toEqual(['end', 'start']);
});

test('tracks of a stream that was switched off end', async () => {
  await stored.insertStream(streamId);
  const id = await add({ kinds: ['start'] });
  await setState(Date.now());
  const { query, write } = stored.database;
  await write([query.updateTable('stream').set({ is_enabled: 0 }).where('id', '=', streamId)]);
  await endAbandoned();
  expect((await read(id)).endedAt).toEqual(expect.any(Number));
});

/** The same database, until it has written so often: as a service that is killed. */
function diesAfter(writes: number, database: Database): Database {
  let left = writes;
  return {
    ...database,
    async write(...unit) {
      left -= 1;
      if (left < 0) throw new Error('killed');
      return database.write(...unit);
    },
  };
}

test('a deletion takes the stream with all that was seen, and one that is cut anywhere is completed', async () => {
  const { accountId, clock, media } = stored;
  await stored.insertStream(streamId);
  const kept = await add({ snapshot: bytes(7) });
  for (let writes = 1; ; writes += 1) {
    streamId += 1;
    await stored.insertStream(streamId);
    for (let track = 0; track < 2; track += 1) await add({ snapshot: bytes(5), clip: bytes(6) });
    await setState(1);
    const deletion = (database: Database) => createStreamDeletion({ database, clock, media });
    const isCut = await deletion(diesAfter(writes, stored.database))
      .removeStream(accountId, streamId)
      .then(
        (receipt) => expect(receipt).toEqual({ tracks: 2, files: 4, bytes: 22 }),
        (error: Error) => error.message,
      );
    const events = createStreamEvents(stored.database);
    const seen = await events.list(accountId, { streamId }, { limit: 10, after: undefined });
    expect(seen.items).toEqual([]);
    if (isCut === 'killed') expect(await deletion(stored.database).finish()).toBe(1);
    await removeHiddenTracks(stored);
    const rows = await stored.database.query
      .selectFrom('stream')
      .select('id')
      .where('id', '=', streamId)
      .execute();
    expect(rows).toEqual([]);
    expect(await ids('stream_track')).toEqual([]);
    expect((await filesLeft()).toSorted()).toEqual((await ids('media_blob')).toSorted());
    if (isCut !== 'killed') break;
  }
  expect((await read(kept)).id).toBe(kept);
});
