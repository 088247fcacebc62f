import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StreamEventData } from '../event-data.js';
import { openStreamDatabase, type StreamDatabase } from '../fixtures/stream-database.js';
import type { TrackState } from '../tracking/track-state.js';
import { endOpenTracks } from './end-open-tracks.js';
import { holdStream, streamLeaseName } from './hold-stream.js';
import { createEventRecorder, type RecordedEvent } from './record-events.js';

let streams: StreamDatabase;
beforeAll(async () => {
  streams = await openStreamDatabase();
});
afterAll(() => streams.close());

const trackOf = (id: number): TrackState => ({
  id,
  label: { title: 'car' },
  score: 0.8,
  topScore: 0.9,
  box: { xMin: 1, yMin: 2, xMax: 3, yMax: 4 },
  velocity: { x: 5, y: 5 },
  startedAtMs: 1_000_000,
  lastSeenAtMs: 1_001_000,
  isStationary: true,
  currentZones: ['yard'],
  enteredZones: ['yard'],
  person: null,
  texts: ['B AB 1'],
});

/** Records tracks and leaves them open, as a service does that ends. */
async function leaveTracks(streamId: number, ids: readonly number[]) {
  const { database, accountId, media } = streams;
  await streams.insertStream(streamId);
  const stream = { accountId, streamId };
  const name = streamLeaseName(accountId, streamId);
  const hold = await holdStream({ database, leases: streams.openLeases() }, name);
  if (hold === null) throw new Error('the stream is taken');
  const deps = { database, hold, stream, media, onRefused: () => undefined, onFailure: () => undefined };
  const recorder = createEventRecorder({ ...deps, onRecorded: () => undefined });
  const frame = { width: 640, height: 360, encode: async () => new TextEncoder().encode('a image') };
  for (const id of ids)
    recorder.record([{ kind: 'start', atMs: 1_001_000, track: trackOf(id), isBest: true }], frame);
  await recorder.flush();
  return { stream, hold };
}
const eventsOf = async (streamId: number) => {
  const { query } = streams.database;
  const rows = await query.selectFrom('stream_event').selectAll().where('stream_id', '=', streamId).execute();
  return rows.map(({ kind, at, data }) => ({ kind, at, data: JSON.parse(data) as StreamEventData }));
};

test('tracks that were left open end once, when the stream had its last frame, as they were', async () => {
  const { stream, hold } = await leaveTracks(1001, [1, 2]);
  const { query, write } = streams.database;
  const state = { state: 'running', reason: null, since: 0, analysed_millifps: 0 } as const;
  await write([
    query.insertInto('stream_state').values({
      ...{ account_id: stream.accountId, stream_id: stream.streamId, ...state },
      ...{ width: 640, height: 360, last_frame_at: 1_060_000, updated_at: 0 },
    }),
  ]);
  const recorded: RecordedEvent[] = [];
  const deps = {
    database: streams.database,
    hold,
    stream,
    onRecorded: (e: RecordedEvent) => void recorded.push(e),
  };
  await endOpenTracks({ ...deps, nowMs: 2_000_000 });
  await endOpenTracks({ ...deps, nowMs: 3_000_000 });
  const events = await eventsOf(stream.streamId);
  expect(events.map(({ kind }) => kind)).toEqual(['start', 'start', 'end', 'end']);
  expect(events.at(-1)).toMatchObject({
    at: 1_060_000,
    data: {
      ...{ label: 'car', has_snapshot: true, stationary: true, texts: ['B AB 1'], current_zones: ['yard'] },
      ...{ ended_at: new Date(1_060_000).toISOString(), box: { x_min: 1, y_max: 4 }, width: 640 },
    },
  });
  expect(recorded).toHaveLength(2);
});

test('a track does not end before it was seen last, nor in the future', async () => {
  const { stream, hold } = await leaveTracks(1002, [1]);
  const deps = { database: streams.database, hold, stream, onRecorded: () => undefined };
  await endOpenTracks({ ...deps, nowMs: 5_000_000 });
  expect((await eventsOf(1002)).at(-1)?.at).toBe(1_001_000);
});

test('tracks that are hidden stay as they are', async () => {
  const { stream, hold } = await leaveTracks(1003, [1]);
  const { query, write } = streams.database;
  await write([query.updateTable('stream_track').set({ deleted_at: 1 }).where('stream_id', '=', 1003)]);
  await endOpenTracks({
    ...{ database: streams.database, hold, stream, onRecorded: () => undefined },
    nowMs: 5_000_000,
  });
  expect((await eventsOf(1003)).map(({ kind }) => kind)).toEqual(['start']);
});
