import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServiceError } from '../core/service-error.js';
import type { StreamEventKind } from '../storage/tables/streams.js';
import { createStreamEvents } from './events.js';
import { insertTrack, type NewTestTrack } from './fixtures/insert-track.js';
import { openStreamDatabase, type StreamDatabase } from './fixtures/stream-database.js';
import { removeHiddenTracks } from './hidden-tracks.js';
import type { SeenFilter } from './seen-filter.js';
import { createTracks } from './tracks.js';

let stored: StreamDatabase;
let tracks: ReturnType<typeof createTracks>;
let events: ReturnType<typeof createStreamEvents>;
beforeAll(async () => {
  stored = await openStreamDatabase();
  tracks = createTracks(stored);
  events = createStreamEvents(stored.database);
});
afterAll(() => stored.close());

const hour = 3_600_000;
const start = Date.UTC(2026, 0, 31, 12);
const snapshot = Buffer.from('jpeg');
const add = (wanted: Partial<NewTestTrack> & { streamId: number }) =>
  insertTrack(stored, { accountId: stored.accountId, startedAtMs: start, ...wanted });
const everything = { limit: 100, after: undefined };
const tracksBy = async (filter: SeenFilter) =>
  (await tracks.list(stored.accountId, filter, everything)).items.map(({ id }) => id);
const eventsBy = async (filter: SeenFilter) =>
  (await events.list(stored.accountId, filter, everything)).items.map(({ kind, data }) => [
    data.track_id,
    kind,
  ]);
const isGone = (error: unknown) => error instanceof ServiceError && error.code === 'not_found';

async function addPerson(id: number) {
  const { database, accountId } = stored;
  const ofAll = { account_id: accountId, created_at: 1 };
  const { query } = database;
  await database.write([
    query.insertInto('perception').values({
      ...ofAll,
      id,
      uid: `perception ${id}`,
      name: 'staff',
      decision_similarity: 0.5,
      embedder: 'e',
      wants_liveness: 0,
      names_recognition: 0,
      refused_problems: '[]',
      deleted_at: null,
      calibration: null,
    }),
    query
      .insertInto('person')
      .values({ ...ofAll, id, perception_id: id, name: 'Ada', key_id: null, search_text: 'ada' }),
  ]);
  return { personId: id, name: 'Ada', score: 0.9 };
}

describe('tracks and events', () => {
  let [parked, walker, named, late] = ['', '', '', ''];
  beforeAll(async () => {
    await stored.insertStream(1);
    await stored.insertStream(2);
    parked = await add({ streamId: 1, label: 'car', kinds: ['start', 'update', 'end'] });
    walker = await add({
      streamId: 1,
      startedAtMs: start + hour,
      zone: 'gate "north" 100%',
      kinds: ['start', 'zone_entered', 'zone_left', 'end'],
      snapshot,
    });
    named = await add({ streamId: 2, startedAtMs: start + 2 * hour, person: await addPerson(11) });
    late = await add({ streamId: 2, startedAtMs: start + 3 * hour, label: 'car', kinds: ['start'] });
  });

  test('are listed from the newest on, page by page', async () => {
    expect(await tracksBy({})).toEqual([late, named, walker, parked]);
    const paged: string[] = [];
    for (let after: readonly [number, string] | undefined; ; ) {
      const page = await tracks.list(stored.accountId, {}, { limit: 3, after });
      paged.push(...page.items.map(({ id }) => id));
      if (page.next === null) break;
      after = page.next;
    }
    expect(paged).toEqual([late, named, walker, parked]);

    const seqs: number[] = [];
    for (let after: readonly [number, number] | undefined; ; ) {
      const page = await events.list(stored.accountId, {}, { limit: 2, after });
      seqs.push(...page.items.map(({ seq }) => seq));
      if (page.next === null) break;
      after = page.next;
    }
    expect(seqs).toHaveLength(10);
    expect(seqs).toEqual(seqs.toSorted((a, b) => b - a));
  });

  test.each<[string, SeenFilter, () => string[], number]>([
    ['stream', { streamId: 1 }, () => [walker, parked], 7],
    ['class', { label: 'car' }, () => [late, parked], 4],
    ['a class in other letters', { label: 'Car' }, () => [], 0],
    ['person', { personId: 11 }, () => [named], 2],
    ['zone', { zone: 'gate "north" 100%' }, () => [walker], 4],
    ['another zone', { zone: 'gate' }, () => [], 0],
    ['a zone in other letters', { zone: 'Gate "north" 100%' }, () => [], 0],
    ['from', { fromMs: start + 2 * hour }, () => [late, named], 3],
    ['before', { beforeMs: start + hour }, () => [parked], 3],
    ['class and stream', { label: 'car', streamId: 2 }, () => [late], 1],
  ])('by %s', async (_, filter, ids, count) => {
    expect(await tracksBy(filter)).toEqual(ids());
    expect(await eventsBy(filter)).toHaveLength(count);
  });

  test('by the kind of what happened', async () => {
    expect(await tracksBy({ kind: 'zone_left' })).toEqual([walker]);
    expect(await eventsBy({ kind: 'zone_left' })).toEqual([[walker, 'zone_left']]);
    expect(await tracksBy({ kind: 'end', trackId: late })).toEqual([]);
    const all: StreamEventKind[] = ['end', 'zone_left', 'zone_entered', 'start'];
    expect(await eventsBy({ trackId: walker })).toEqual(all.map((kind) => [walker, kind]));
  });

  test('one is read with all that is known of it', async () => {
    expect(await tracks.read(stored.accountId, walker)).toMatchObject({
      streamId: 1,
      label: 'person',
      score: 0.8,
      topScore: 0.9,
      box: { x_min: 320, y_min: 90, x_max: 480, y_max: 270 },
      enteredZones: ['gate "north" 100%'],
      person: null,
      startedAt: start + hour,
      endedAt: start + hour + 3000,
      snapshotId: expect.any(String),
      clipId: null,
    });
  });

  test('events after one come in the order of their numbers', async () => {
    const all = await events.after(stored.accountId, 0, 100);
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, at) => 1001 + at));
    expect(await events.after(stored.accountId, 1001, 1)).toEqual(all.slice(1, 2));
  });

  test('another account sees none', async () => {
    const other = stored.accountId + 1;
    expect((await tracks.list(other, {}, everything)).items).toEqual([]);
    expect((await events.list(other, {}, everything)).items).toEqual([]);
    await expect(tracks.read(other, walker)).rejects.toSatisfy(isGone);
    await expect(tracks.remove(other, walker)).rejects.toSatisfy(isGone);
    expect((await tracks.read(stored.accountId, walker)).id).toBe(walker);
  });

  test('a deleted person hides what they were seen in at once, which is then deleted with its files', async () => {
    const { database, accountId, media } = stored;
    const person = await addPerson(12);
    const id = await add({ streamId: 1, person, snapshot, clip: Buffer.from('mp4') });
    const { snapshotId, clipId } = await tracks.read(accountId, id);
    await database.write([
      database.query.deleteFrom('person').where('account_id', '=', accountId).where('id', '=', 12),
    ]);
    await expect(tracks.read(accountId, id)).rejects.toSatisfy(isGone);
    expect(await eventsBy({ trackId: id })).toEqual([]);
    expect(await tracksBy({ personId: 12 })).toEqual([]);
    await removeHiddenTracks(stored);
    for (const file of [snapshotId, clipId]) expect(await media.files.sizeOf(file ?? '')).toBeNull();
    expect(
      await database.query.selectFrom('stream_event').select('seq').where('track_id', '=', id).execute(),
    ).toEqual([]);
    expect(await tracksBy({})).toEqual([late, named, walker, parked]);
  });

  test('a track is deleted with its events and files', async () => {
    const { accountId, media } = stored;
    const id = await add({ streamId: 1, snapshot });
    const { snapshotId } = await tracks.read(accountId, id);
    await tracks.remove(accountId, id);
    await expect(tracks.read(accountId, id)).rejects.toSatisfy(isGone);
    expect(await eventsBy({ trackId: id })).toEqual([]);
    expect(await media.files.sizeOf(snapshotId ?? '')).toBeNull();
    await expect(tracks.remove(accountId, id)).rejects.toSatisfy(isGone);
  });

  test('of a stream that is being deleted nothing is seen', async () => {
    const { database, accountId } = stored;
    const hide = (at: number | null) =>
      database.write([
        database.query
          .updateTable('stream')
          .set({ deleted_at: at })
          .where('account_id', '=', accountId)
          .where('id', '=', 2),
      ]);
    await hide(1);
    expect(await tracksBy({})).toEqual([walker, parked]);
    expect(await eventsBy({ streamId: 2 })).toEqual([]);
    await expect(tracks.read(accountId, named)).rejects.toSatisfy(isGone);
    await hide(null);
  });
});
