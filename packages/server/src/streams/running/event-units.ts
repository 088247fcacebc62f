import type { Compilable } from 'kysely';
import { countUp, lastId } from '../../storage/count-up.js';
import type { Database } from '../../storage/database.js';
import { refuseUnless } from '../../storage/leases/fence.js';
import { roundScore, type StreamEventData, type TrackDetails, tenth, toEventBox } from '../event-data.js';
import type { TrackEvent, TrackState } from '../tracking/track-state.js';

/** A file of media that was written; its row belongs to the unit that names it. */
export interface WrittenFile {
  readonly id: string;
  readonly row: Compilable;
}

/** What of a frame is needed to draw what is in it. */
export interface SeenIn {
  readonly box: TrackState['box'];
  readonly width: number;
  readonly height: number;
}

/** A track as the database has it. */
export interface RecordedTrack {
  readonly id: string;
  /** The text of the column; null before the track has a row. */
  readonly details: string | null;
  readonly events: number;
  readonly refused: readonly number[];
  readonly snapshotId: string | null;
  readonly snapshotIn: SeenIn | null;
  readonly clipId: string | null;
  readonly endedAtMs: number | null;
}

export interface EventToWrite {
  readonly event: TrackEvent;
  /** Of the frame, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly snapshot?: (WrittenFile & { readonly seenIn: SeenIn }) | undefined;
  readonly clip?: WrittenFile | undefined;
}

interface EventUnit {
  /** Ends without a fence. Undone, as `not-null`, when the row of the track or its person is not as expected. */
  readonly statements: readonly Compilable[];
  readonly after: RecordedTrack;
  readonly data: StreamEventData;
}

export function newTrack(id: string): RecordedTrack {
  return {
    id,
    details: null,
    events: 0,
    refused: [],
    snapshotId: null,
    snapshotIn: null,
    clipId: null,
    endedAtMs: null,
  };
}

/** The row of an event, whose number `countUp` took in the same unit. */
export function insertEvent(
  { query }: Pick<Database, 'query'>,
  {
    accountId,
    streamId,
    kind,
    atMs,
    data,
  }: {
    readonly accountId: number;
    readonly streamId: number;
    readonly kind: TrackEvent['kind'];
    readonly atMs: number;
    readonly data: StreamEventData;
  },
): Compilable {
  return query.insertInto('stream_event').values({
    account_id: accountId,
    seq: lastId(accountId, 'stream_event'),
    stream_id: streamId,
    track_id: data.track_id,
    kind,
    at: Math.round(atMs),
    data: JSON.stringify(data),
  });
}

/** Makes the unit that keeps an event and how its track is then. */
type WriteEvent = (track: RecordedTrack, wanted: EventToWrite) => EventUnit;

export function createEventUnits(
  database: Pick<Database, 'query'>,
  { accountId, streamId }: { readonly accountId: number; readonly streamId: number },
): WriteEvent {
  const { query } = database;

  /** The row is locked, so that a deletion of the person either comes before and undoes the unit, or hides the track. */
  const requirePerson = (personId: number): readonly Compilable[] => {
    const ofPerson = { account_id: accountId, id: personId };
    return [
      query
        .updateTable('person')
        .set((each) => ({ created_at: each.ref('created_at') }))
        .where(({ and }) => and(ofPerson)),
      refuseUnless(
        database,
        query
          .selectFrom('person')
          .select('id')
          .where(({ and }) => and(ofPerson)),
      ),
    ];
  };

  return (track, { event, width, height, snapshot, clip }) => {
    const person = track.refused.includes(event.track.person?.personId ?? 0) ? null : event.track.person;
    const state = { ...event.track, person };
    const after: RecordedTrack = {
      ...track,
      events: track.events + 1,
      snapshotId: snapshot?.id ?? track.snapshotId,
      snapshotIn: snapshot?.seenIn ?? track.snapshotIn,
      clipId: clip?.id ?? track.clipId,
      endedAtMs: event.kind === 'end' ? event.atMs : track.endedAtMs,
      details: null,
    };
    const details = JSON.stringify(toDetails(state, after, { box: state.box, width, height }));
    const columns = {
      label: toText(state.label.title),
      score: roundScore(state.score),
      top_score: roundScore(state.topScore),
      started_at: Math.round(state.startedAtMs),
      last_seen_at: Math.round(state.lastSeenAtMs),
      ended_at: after.endedAtMs === null ? null : Math.round(after.endedAtMs),
      is_stationary: state.isStationary ? 1 : 0,
      person_id: person?.personId ?? null,
      person_name: person?.name ?? null,
      person_score: person && roundScore(person.score),
      details,
      snapshot_id: after.snapshotId,
      clip_id: after.clipId,
    } as const;
    const row =
      track.details === null
        ? [
            query.insertInto('stream_track').values({
              id: track.id,
              account_id: accountId,
              stream_id: streamId,
              deleted_at: null,
              ...columns,
            }),
          ]
        : [
            query
              .updateTable('stream_track')
              .set(columns)
              .where('id', '=', track.id)
              .where('details', '=', track.details)
              .where('deleted_at', 'is', null),
            refuseUnless(
              database,
              query
                .selectFrom('stream_track')
                .select('id')
                .where('id', '=', track.id)
                .where('details', '=', details)
                .where('deleted_at', 'is', null),
            ),
          ];
    const replaced = snapshot ? track.snapshotId : null;
    const data = toData(event, state, after, { width, height });
    return {
      after: { ...after, details },
      data,
      statements: [
        countUp(database, accountId, 'stream_event'),
        ...(person ? requirePerson(person.personId) : []),
        ...row,
        ...(snapshot ? [snapshot.row] : []),
        ...(clip ? [clip.row] : []),
        ...(replaced === null ? [] : [query.deleteFrom('media_blob').where('blob_id', '=', replaced)]),
        insertEvent(database, { ...{ accountId, streamId }, kind: event.kind, atMs: event.atMs, data }),
      ],
    };
  };
}

function toDetails(state: TrackState, track: RecordedTrack, last: SeenIn): TrackDetails {
  const { box, width, height } = track.snapshotIn ?? last;
  const { currentZones, enteredZones, texts } = state;
  return {
    ...{ box: toEventBox(box), width, height, currentZones, enteredZones, texts },
    ...(track.refused.length > 0 && { refused: track.refused }),
    events: track.events,
  };
}

function toData(
  { zone, text }: TrackEvent,
  state: TrackState,
  track: RecordedTrack,
  size: { readonly width: number; readonly height: number },
): StreamEventData {
  const { person, velocity } = state;
  return {
    track_id: track.id,
    label: toText(state.label.title),
    score: roundScore(state.score),
    top_score: roundScore(state.topScore),
    box: toEventBox(state.box),
    ...size,
    velocity: { x: tenth(velocity.x), y: tenth(velocity.y) },
    stationary: state.isStationary,
    current_zones: [...state.currentZones],
    entered_zones: [...state.enteredZones],
    person: person && { id: person.personId, name: person.name, score: roundScore(person.score) },
    texts: [...state.texts],
    started_at: toIso(state.startedAtMs),
    last_seen_at: toIso(state.lastSeenAtMs),
    ended_at: track.endedAtMs === null ? null : toIso(track.endedAtMs),
    ...(zone !== undefined && { zone }),
    ...(text !== undefined && { text }),
    has_snapshot: track.snapshotId !== null,
    has_clip: track.clipId !== null,
  };
}

export function toIso(atMs: number): string {
  return new Date(Math.round(atMs)).toISOString();
}

/** Half of a pair and NUL, as labels of a customer's model may hold them, are no text that a database keeps. */
function toText(title: string): string {
  return title.replace(/\p{Surrogate}/gu, '\ufffd').replaceAll('\0', ' ');
}
