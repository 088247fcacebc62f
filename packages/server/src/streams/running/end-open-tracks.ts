import type { Selectable } from 'kysely';
import type { Database } from '../../storage/database.js';
import type { Schema } from '../../storage/schema.js';
import type { EventBox, TrackDetails } from '../event-data.js';
import type { TrackState } from '../tracking/track-state.js';
import { createEventUnits, type RecordedTrack } from './event-units.js';
import type { StreamHold } from './hold-stream.js';
import type { RecordedEvent } from './record-events.js';

interface EndOpenTracksDeps {
  readonly database: Pick<Database, 'query' | 'write'>;
  readonly hold: Pick<StreamHold, 'fence'>;
  readonly stream: { readonly accountId: number; readonly streamId: number };
  readonly onRecorded: (event: RecordedEvent) => void;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/**
 * Ends tracks of a stream that whoever ran it before left open: which objects are the same is not known beyond a run. They ended when
 * the stream had its last frame.
 */
export async function endOpenTracks({
  database,
  hold,
  stream,
  onRecorded,
  nowMs,
}: EndOpenTracksDeps): Promise<void> {
  const { query } = database;
  const { accountId, streamId } = stream;
  const ofStream = { account_id: accountId, stream_id: streamId };
  const open = await query
    .selectFrom('stream_track')
    .selectAll()
    .where(({ and }) => and(ofStream))
    .where('ended_at', 'is', null)
    .where('deleted_at', 'is', null)
    .orderBy('started_at')
    .execute();
  if (open.length === 0) return;
  const state = await query
    .selectFrom('stream_state')
    .select('last_frame_at')
    .where(({ and }) => and(ofStream))
    .executeTakeFirst();
  const toUnit = createEventUnits(database, stream);
  for (const row of open) {
    const track = toRecorded(row);
    const last = toState(row);
    const atMs = Math.min(nowMs, Math.max(last.lastSeenAtMs, state?.last_frame_at ?? 0));
    const { width, height } = readDetails(row);
    const { statements, data } = toUnit(track, { event: { kind: 'end', atMs, track: last }, width, height });
    await database.write([...statements, ...hold.fence()]);
    onRecorded({ ...stream, kind: 'end', data });
  }
}

type Row = Selectable<Schema['stream_track']>;

function readDetails({ details }: Row): TrackDetails {
  return JSON.parse(details);
}

function toRecorded(row: Row): RecordedTrack {
  const { events, refused = [], box, width, height } = readDetails(row);
  return {
    id: row.id,
    details: row.details,
    events,
    refused,
    snapshotId: row.snapshot_id,
    snapshotIn: { box: toBox(box), width, height },
    clipId: row.clip_id,
    endedAtMs: null,
  };
}

function toState(row: Row): TrackState {
  const { box, currentZones, enteredZones, texts } = readDetails(row);
  const { person_id: personId, person_name: name, person_score: score } = row;
  return {
    id: 0,
    label: { title: row.label },
    score: row.score,
    topScore: row.top_score,
    box: toBox(box),
    velocity: { x: 0, y: 0 },
    startedAtMs: row.started_at,
    lastSeenAtMs: row.last_seen_at,
    isStationary: row.is_stationary === 1,
    currentZones,
    enteredZones,
    person: personId === null ? null : { personId, name: name ?? '', score: score ?? 0 },
    texts,
  };
}

function toBox({ x_min: xMin, y_min: yMin, x_max: xMax, y_max: yMax }: EventBox) {
  return { xMin, yMin, xMax, yMax };
}
