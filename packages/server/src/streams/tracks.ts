import type { Selectable } from 'kysely';
import type { Clock } from '../core/clock.js';
import { ServiceError } from '../core/service-error.js';
import type { Database } from '../storage/database.js';
import { type Page, type PageRequest, toPage } from '../storage/page.js';
import type { Schema } from '../storage/schema.js';
import type { TrackDetails } from './event-data.js';
import type { Media } from './media.js';
import { removeTracks } from './remove-tracks.js';
import { hasEntered, hasEvent, isStreamVisible, type SeenFilter } from './seen-filter.js';

/** An object that was followed through the frames of a stream. Times are milliseconds since 1970. */
export interface Track extends Omit<TrackDetails, 'refused' | 'events'> {
  readonly id: string;
  readonly streamId: number;
  readonly label: string;
  /** From 0 to 1, as seen last, and at best. */
  readonly score: number;
  readonly topScore: number;
  readonly startedAt: number;
  readonly lastSeenAt: number;
  /** Null while it is followed. */
  readonly endedAt: number | null;
  readonly isStationary: boolean;
  readonly person: { readonly id: number; readonly name: string; readonly score: number } | null;
  /** Files of media; null where there is none. */
  readonly snapshotId: string | null;
  readonly clipId: string | null;
}

export type TrackPosition = readonly [startedAt: number, id: string];

/** Tracks of accounts. One of another account, or of a deleted person or stream, is `not_found`, as one that there is not. */
export type Tracks = ReturnType<typeof createTracks>;

export interface TracksDeps {
  readonly database: Pick<Database, 'query' | 'write'>;
  readonly clock: Clock;
  readonly media: Pick<Media, 'remove'>;
}

export function createTracks(deps: TracksDeps) {
  const { query } = deps.database;
  const visible = (accountId: number) =>
    query
      .selectFrom('stream_track')
      .selectAll('stream_track')
      .where('stream_track.account_id', '=', accountId)
      .where('stream_track.deleted_at', 'is', null)
      .where(isStreamVisible('stream_track'));

  const read = async (accountId: number, id: string): Promise<Track> => {
    const row = await visible(accountId).where('stream_track.id', '=', id).executeTakeFirst();
    if (!row) throw new ServiceError('not_found', `${id} is not one of your tracks`);
    return toTrack(row);
  };

  return {
    read,

    /** The newest first; by when they began. */
    async list(
      accountId: number,
      filter: SeenFilter,
      { limit, after }: PageRequest<TrackPosition>,
    ): Promise<Page<Track, TrackPosition>> {
      const { streamId, label, personId, zone, trackId, kind, fromMs, beforeMs } = filter;
      let rows = visible(accountId);
      if (streamId !== undefined) rows = rows.where('stream_track.stream_id', '=', streamId);
      if (label !== undefined) rows = rows.where('stream_track.label', '=', label);
      if (personId !== undefined) rows = rows.where('stream_track.person_id', '=', personId);
      if (trackId !== undefined) rows = rows.where('stream_track.id', '=', trackId);
      if (zone !== undefined) rows = rows.where(hasEntered(zone));
      if (kind !== undefined) rows = rows.where(hasEvent(kind));
      if (fromMs !== undefined) rows = rows.where('started_at', '>=', fromMs);
      if (beforeMs !== undefined) rows = rows.where('started_at', '<', beforeMs);
      if (after !== undefined) {
        const [startedAt, id] = after;
        rows = rows
          // Beside the exact condition, one that an index can use.
          .where('started_at', '<=', startedAt)
          .where((row) => row.or([row('started_at', '<', startedAt), row('stream_track.id', '<', id)]));
      }
      const found = await rows
        .orderBy('started_at', 'desc')
        .orderBy('stream_track.id', 'desc')
        .limit(limit + 1)
        .execute();
      return toPage(found.map(toTrack), limit, (track): TrackPosition => [track.startedAt, track.id]);
    },

    /** With its events and files. */
    async remove(accountId: number, id: string) {
      await read(accountId, id);
      await removeTracks(deps, accountId, [id]);
    },
  };
}

function toTrack(row: Selectable<Schema['stream_track']>): Track {
  const { box, width, height, currentZones, enteredZones, texts } = readDetails(row);
  return {
    ...{ box, width, height, currentZones, enteredZones, texts },
    id: row.id,
    streamId: row.stream_id,
    label: row.label,
    score: row.score,
    topScore: row.top_score,
    startedAt: row.started_at,
    lastSeenAt: row.last_seen_at,
    endedAt: row.ended_at,
    isStationary: row.is_stationary === 1,
    person:
      row.person_id === null
        ? null
        : { id: row.person_id, name: row.person_name ?? '', score: row.person_score ?? 0 },
    snapshotId: row.snapshot_id,
    clipId: row.clip_id,
  };
}

/** Written by us alone. */
export function readDetails({ details }: { readonly details: string }): TrackDetails {
  return JSON.parse(details);
}
