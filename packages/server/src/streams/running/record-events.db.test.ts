import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Database } from '../../storage/database.js';
import { StorageError } from '../../storage/storage-error.js';
import type { StreamEventData } from '../event-data.js';
import { openStreamDatabase, type StreamDatabase } from '../fixtures/stream-database.js';
import type { TrackEvent, TrackState } from '../tracking/track-state.js';
import { holdStream, streamLeaseName } from './hold-stream.js';
import { createEventRecorder, type RecordedEvent } from './record-events.js';

let streams: StreamDatabase;
let lastStream = 1000;
beforeAll(async () => {
  streams = await openStreamDatabase();
});
afterAll(() => streams.close());

const bytes = (text: string) => new TextEncoder().encode(text);

function trackOf(changes: Partial<TrackState> = {}): TrackState {
  return {
    id: 1,
    label: { title: 'person' },
    score: 0.81239,
    topScore: 0.9,
    box: { xMin: 10, yMin: 20, xMax: 110.04, yMax: 220 },
    velocity: { x: 3.14, y: 0 },
    startedAtMs: 1_000_000,
    lastSeenAtMs: 1_001_000.4,
    isStationary: false,
    currentZones: [],
    enteredZones: [],
    person: null,
    texts: [],
    ...changes,
  };
}
const eventOf = (
  kind: TrackEvent['kind'],
  track = trackOf(),
  rest: Partial<TrackEvent> = {},
): TrackEvent => ({
  ...{ kind, track, atMs: track.lastSeenAtMs },
  ...rest,
});
const frameOf = (image: string | null = null) => ({
  width: 640,
  height: 360,
  encode: async () => (image === null ? null : bytes(image)),
});

/** A stream whose events are recorded; while `state.isAway`, the database refuses. */
async function open(leaseMs?: number) {
  lastStream += 1;
  const streamId = lastStream;
  await streams.insertStream(streamId);
  const state = { isAway: false, attempts: 0 };
  const database: Database = {
    ...streams.database,
    async write(...unit) {
      state.attempts += 1;
      if (state.isAway) throw new StorageError('away', 'cut off');
      return streams.database.write(...unit);
    },
  };
  const leases = streams.openLeases(streams.database, leaseMs);
  const name = streamLeaseName(streams.accountId, streamId);
  const hold = await holdStream({ database: streams.database, leases }, name);
  if (hold === null) throw new Error('the stream is taken');
  const recorded: RecordedEvent[] = [];
  const refused: [number, number][] = [];
  const failures: string[] = [];
  const recorder = createEventRecorder({
    database,
    hold,
    media: streams.media,
    stream: { accountId: streams.accountId, streamId },
    onRecorded: (event) => void recorded.push(event),
    onRefused: (...who) => void refused.push(who),
    onFailure: (_, message) => void failures.push(message),
  });
  const { query } = streams.database;
  return {
    ...{ streamId, recorder, recorded, refused, failures, state, hold, name },
    events: async () => {
      const rows = await query
        .selectFrom('stream_event')
        .selectAll()
        .where('stream_id', '=', streamId)
        .orderBy('seq')
        .execute();
      return rows.map((row) => ({ ...row, data: JSON.parse(row.data) as StreamEventData }));
    },
    tracks: () => query.selectFrom('stream_track').selectAll().where('stream_id', '=', streamId).execute(),
    files: async () => {
      const rows = await query
        .selectFrom('media_blob')
        .innerJoin('stream_track', 'stream_track.id', 'media_blob.track_id')
        .select(['blob_id', 'kind'])
        .where('stream_id', '=', streamId)
        .execute();
      return Promise.all(
        rows.map(async ({ blob_id, kind }) => {
          const file = await streams.media.read(streams.accountId, blob_id);
          const chunks: Uint8Array[] = [];
          for await (const chunk of file?.stream ?? []) chunks.push(chunk);
          return `${kind} ${Buffer.concat(chunks)}`;
        }),
      );
    },
  };
}

async function insertPerson(): Promise<number> {
  const { accountId, database, clock } = streams;
  const { query } = database;
  const perceptionId = Math.ceil(Math.random() * 1e9);
  const personId = Math.ceil(Math.random() * 1e9);
  await database.write([
    query.insertInto('perception').values({
      ...{
        account_id: accountId,
        id: perceptionId,
        uid: randomUUID(),
        name: 'people',
        embedder: 'an embedder',
      },
      ...{ decision_similarity: 0.5, wants_liveness: 0, names_recognition: 1, refused_problems: '[]' },
      ...{ calibration: null, created_at: clock(), deleted_at: null },
    }),
    query.insertInto('person').values({
      ...{ account_id: accountId, id: personId, perception_id: perceptionId, name: 'Ada', key_id: null },
      ...{ search_text: 'ada', created_at: clock() },
    }),
  ]);
  return personId;
}
const deletePerson = (personId: number) =>
  streams.database.write([streams.database.query.deleteFrom('person').where('id', '=', personId)]);

test('a track is one row with its events in their order, each with how the track was', async () => {
  const { recorder, recorded, events, tracks, streamId } = await open();
  recorder.record([eventOf('start')], frameOf());
  const later = trackOf({ lastSeenAtMs: 1_002_000, currentZones: ['yard'], enteredZones: ['yard'] });
  recorder.record([eventOf('zone_entered', later, { zone: 'yard' })], frameOf());
  recorder.record([eventOf('end', { ...later, isStationary: true })], frameOf());
  await recorder.flush();
  const [start, entered, end] = await events();
  expect(start?.data).toMatchObject({
    ...{ label: 'person', score: 0.8124, top_score: 0.9, width: 640, height: 360, stationary: false },
    ...{ box: { x_min: 10, y_min: 20, x_max: 110, y_max: 220 }, velocity: { x: 3.1, y: 0 } },
    ...{ person: null, ended_at: null, started_at: '1970-01-01T00:16:40.000Z', has_snapshot: false },
  });
  expect(entered).toMatchObject({ kind: 'zone_entered', data: { zone: 'yard', current_zones: ['yard'] } });
  expect(end).toMatchObject({ kind: 'end', data: { ended_at: '1970-01-01T00:16:42.000Z' } });
  expect([start, entered, end].map((event) => event?.seq)).toEqual(
    [0, 1, 2].map((after) => Number(start?.seq) + after),
  );
  expect(await tracks()).toMatchObject([
    { id: start?.track_id, ended_at: 1_002_000, is_stationary: 1, label: 'person', stream_id: streamId },
  ]);
  expect(recorded.map(({ kind }) => kind)).toEqual(['start', 'zone_entered', 'end']);
});

test('the snapshot of the start is replaced by a better one at once, and stays the best one at the end', async () => {
  const { recorder, events, files, tracks } = await open();
  recorder.record([eventOf('start', trackOf(), { isBest: true })], frameOf('first'));
  await recorder.flush();
  expect(await files()).toEqual(['snapshot first']);
  const nearer = { xMin: 0, yMin: 0, xMax: 300, yMax: 300 };
  recorder.record([eventOf('update', trackOf({ box: nearer }), { isBest: true })], frameOf('best'));
  await recorder.flush();
  expect(await files()).toEqual(['snapshot best']);
  recorder.record([eventOf('end')], frameOf('last'));
  await recorder.flush();
  expect(await files()).toEqual(['snapshot best']);
  expect((await events()).map(({ data }) => data.has_snapshot)).toEqual([true, true, true]);
  const [track] = await tracks();
  // Where the object is in the snapshot.
  expect(JSON.parse(track?.details ?? '')).toMatchObject({ box: { x_max: 300, y_max: 300 }, width: 640 });
  const named: string[] = [];
  for await (const { id } of streams.media.files.list()) if (id === track?.snapshot_id) named.push(id);
  expect(named).toHaveLength(1);
});

test('a frame that cannot be encoded costs the snapshot alone', async () => {
  const { recorder, events } = await open();
  recorder.record([eventOf('start', trackOf(), { isBest: true })], frameOf(null));
  await recorder.flush();
  expect((await events()).map(({ data }) => data.has_snapshot)).toEqual([false]);
});

test('an inference process that fails at a snapshot costs the snapshot alone, whoever waits for it', async () => {
  const { recorder, events, failures } = await open();
  const encode = async () => Promise.reject(new Error('the process crashed'));
  recorder.record([eventOf('start', trackOf(), { isBest: true })], { ...frameOf(), encode });
  // Of the second nobody waits, because the third takes its place.
  recorder.record([eventOf('update', trackOf(), { isBest: true })], { ...frameOf(), encode });
  recorder.record([eventOf('update', trackOf(), { isBest: true })], frameOf('best'));
  await recorder.flush();
  expect((await events()).map(({ data }) => data.has_snapshot)).toEqual([false, true]);
  expect(failures).toEqual(Array(2).fill('a snapshot of a stream is left out'));
});

test('while the database is away starts and ends wait, and updates are merged', async () => {
  const { recorder, events, files, state } = await open();
  state.isAway = true;
  recorder.record([eventOf('start', trackOf(), { isBest: true })], frameOf('first'));
  for (let frame = 0; frame < 5000; frame++)
    recorder.record([eventOf('update', trackOf({ score: 0.5, lastSeenAtMs: 1_001_000 + frame }))], frameOf());
  for (let other = 2; other < 50; other++) {
    recorder.record([eventOf('start', trackOf({ id: other }))], frameOf());
    recorder.record([eventOf('end', trackOf({ id: other }))], frameOf());
  }
  recorder.record([eventOf('end')], frameOf());
  await vi.waitUntil(() => state.attempts > 2);
  expect(await events()).toEqual([]);
  state.isAway = false;
  await recorder.flush();
  const found = await events();
  expect(found.filter(({ kind }) => kind === 'start')).toHaveLength(49);
  expect(found.filter(({ kind }) => kind === 'end')).toHaveLength(49);
  const updates = found.filter(({ kind }) => kind === 'update');
  expect(updates).toHaveLength(1);
  expect(updates[0]?.at).toBe(1_005_999);
  expect(await files()).toEqual(['snapshot first']);
});

test('a commit of which nobody heard is not repeated', async () => {
  const { recorder, events, state } = await open();
  const write = streams.database.write;
  let isLost = true;
  vi.spyOn(streams.database, 'write').mockImplementation(async (...unit) => {
    const results = await write(...unit);
    if (isLost) throw new StorageError('lost', 'cut off after the commit');
    return results;
  });
  recorder.record([eventOf('start')], frameOf());
  recorder.record([eventOf('update')], frameOf());
  await recorder.flush();
  isLost = false;
  vi.restoreAllMocks();
  expect((await events()).map(({ kind }) => kind)).toEqual(['start', 'update']);
  expect(state.attempts).toBe(2);
});

test('nothing is written after another has taken the stream', async () => {
  const { recorder, events, name, hold } = await open(1500);
  recorder.record([eventOf('start')], frameOf());
  await recorder.flush();
  const { query, write } = streams.database;
  await write([query.updateTable('lease').set({ owner: 'another', epoch: 1 }).where('name', '=', name)]);
  recorder.record([eventOf('end')], frameOf());
  await vi.waitUntil(() => hold.lost.aborted, { timeout: 60_000 });
  await recorder.flush();
  expect((await events()).map(({ kind }) => kind)).toEqual(['start']);
});

test('a track that its user deletes is not written any more, others are', async () => {
  const { recorder, events, tracks } = await open();
  recorder.record([eventOf('start'), eventOf('start', trackOf({ id: 2 }))], frameOf());
  await recorder.flush();
  const [first] = await events();
  const { query, write } = streams.database;
  await write([
    query
      .updateTable('stream_track')
      .set({ deleted_at: 1 })
      .where('id', '=', first?.track_id ?? ''),
  ]);
  recorder.record([eventOf('end'), eventOf('end', trackOf({ id: 2 }))], frameOf());
  await recorder.flush();
  expect((await events()).map(({ kind }) => kind)).toEqual(['start', 'start', 'end']);
  expect((await tracks()).map(({ ended_at }) => ended_at !== null).sort()).toEqual([false, true]);
});

test('the name of a person who was deleted is not written', async () => {
  const { recorder, events, tracks, refused } = await open();
  const personId = await insertPerson();
  const person = { personId, name: 'Ada', score: 0.9 };
  recorder.record([eventOf('start')], frameOf());
  await recorder.flush();
  await deletePerson(personId);
  recorder.record([eventOf('person_recognised', trackOf({ person }))], frameOf());
  await recorder.flush();
  expect(refused).toEqual([[1, personId]]);
  expect((await events()).map(({ data }) => data.person)).toEqual([null, null]);
  expect(await tracks()).toMatchObject([{ person_id: null, person_name: null }]);
});

test('a track of a person who is deleted is hidden, and stays so', async () => {
  const { recorder, events, tracks } = await open();
  const personId = await insertPerson();
  const person = { personId, name: 'Ada', score: 0.9 };
  recorder.record([eventOf('start', trackOf({ person }))], frameOf());
  await recorder.flush();
  expect(await tracks()).toMatchObject([{ person_id: personId, person_name: 'Ada', deleted_at: null }]);
  await deletePerson(personId);
  recorder.record([eventOf('end', trackOf({ person }))], frameOf());
  await recorder.flush();
  expect(await events()).toHaveLength(1);
  expect((await tracks())[0]?.deleted_at).not.toBeNull();
});

test('a person whom the user refuses for a track is heard of, and stays refused', async () => {
  const { recorder, events, tracks, refused } = await open();
  const personId = await insertPerson();
  const person = { personId, name: 'Ada', score: 0.9 };
  recorder.record([eventOf('start', trackOf({ person }))], frameOf());
  await recorder.flush();
  const { query, write } = streams.database;
  const [row] = await tracks();
  const details = { ...JSON.parse(row?.details ?? ''), refused: [personId] };
  await write([
    query
      .updateTable('stream_track')
      .set({ details: JSON.stringify(details), person_id: null, person_name: null, person_score: null })
      .where('id', '=', row?.id ?? ''),
  ]);
  recorder.record([eventOf('update', trackOf({ person }))], frameOf());
  recorder.record([eventOf('end', trackOf({ person }))], frameOf());
  await recorder.flush();
  expect(refused).toEqual([[1, personId]]);
  expect((await events()).map(({ data }) => data.person?.id)).toEqual([personId, undefined, undefined]);
  const [after] = await tracks();
  expect(after).toMatchObject({ person_id: null, ended_at: expect.any(Number) });
  expect(JSON.parse(after?.details ?? '').refused).toEqual([personId]);
});

test('a clip comes in an update, also after the end', async () => {
  const { recorder, events, files } = await open();
  recorder.record([eventOf('start')], frameOf());
  const track = recorder.find(1);
  recorder.record([eventOf('end')], frameOf());
  await recorder.flush();
  expect(recorder.find(1)).toBeUndefined();
  async function* content() {
    yield bytes('a clip');
  }
  const owner = { trackId: track?.recorded.id ?? '' };
  const clip = await streams.media.write(
    { accountId: streams.accountId, kind: 'clip', owner, mediaType: 'video/mp4' },
    content(),
  );
  expect(track && (await recorder.attachClip(track, clip, 1_010_000))).toBe(true);
  expect((await events()).at(-1)).toMatchObject({
    kind: 'update',
    data: { has_clip: true, ended_at: '1970-01-01T00:16:41.000Z' },
  });
  expect(await files()).toEqual(['clip a clip']);
});

test('a recorder that is closed gives up what is left', async () => {
  const { recorder, events, state } = await open();
  state.isAway = true;
  recorder.record([eventOf('start')], frameOf());
  await vi.waitUntil(() => state.attempts > 1);
  recorder.close();
  await recorder.flush();
  state.isAway = false;
  recorder.record([eventOf('start', trackOf({ id: 2 }))], frameOf());
  await recorder.flush();
  expect(await events()).toEqual([]);
});

test('labels that a database does not keep are changed, and cost no event', async () => {
  const { recorder, events } = await open();
  recorder.record([eventOf('start', trackOf({ label: { title: 'a\0b\ud800c' } }))], frameOf());
  await recorder.flush();
  expect((await events()).map(({ data }) => data.label)).toEqual(['a b\ufffdc']);
});
