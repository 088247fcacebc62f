import type { Database } from '../../storage/database.js';
import type { StreamEventKind } from '../../storage/tables/streams.js';
import type { StreamEventData } from '../event-data.js';
import { readEventData } from '../events.js';

/** An event as it is sent. */
export interface OutgoingEvent {
  readonly accountId: number;
  readonly seq: number;
  readonly kind: StreamEventKind;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly streamId: number;
  readonly streamUid: string;
  readonly streamName: string;
  /** Null for what belongs to no track. */
  readonly trackId: string | null;
  /** Of the track's image now; null where it has none. */
  readonly snapshotId: string | null;
  readonly data: StreamEventData;
}

/** Events in the order of their numbers. */
interface EventBatch {
  /** Those that may be seen: hidden tracks and deleted streams left out. */
  readonly events: readonly OutgoingEvent[];
  /** Every event up to it was looked at. */
  readonly upTo: number;
  /** There may be more. */
  readonly isFull: boolean;
}

/** Of the last event of an account, 0 where it has had none. */
export async function newestSeq({ query }: Pick<Database, 'query'>, accountId: number): Promise<number> {
  const row = await query
    .selectFrom('account_counter')
    .select('last')
    .where('account_id', '=', accountId)
    .where('kind', '=', 'stream_event')
    .executeTakeFirst();
  return row?.last ?? 0;
}

/** The events after one, oldest first. Numbers rise in the order of commits, so that none comes late. */
export async function readEventsAfter(
  database: Pick<Database, 'query'>,
  accountId: number,
  after: number,
  limit: number,
): Promise<EventBatch> {
  const newest = await newestSeq(database, accountId);
  if (newest <= after) return { events: [], upTo: after, isFull: false };
  const rows = await database.query
    .selectFrom('stream_event')
    .innerJoin('stream', (join) =>
      join
        .onRef('stream.account_id', '=', 'stream_event.account_id')
        .onRef('stream.id', '=', 'stream_event.stream_id'),
    )
    .leftJoin('stream_track', 'stream_track.id', 'stream_event.track_id')
    .select([
      'stream_event.seq as seq',
      'stream_event.kind as kind',
      'stream_event.at as at',
      'stream_event.data as data',
      'stream_event.track_id as trackId',
      'stream_track.snapshot_id as snapshotId',
      'stream_track.details as details',
      'stream_track.deleted_at as trackDeletedAt',
      'stream.id as streamId',
      'stream.uid as streamUid',
      'stream.name as streamName',
      'stream.deleted_at as streamDeletedAt',
    ])
    .where('stream_event.account_id', '=', accountId)
    .where('stream_event.seq', '>', after)
    .orderBy('stream_event.seq')
    .limit(limit)
    .execute();
  const isFull = rows.length === limit;
  return {
    isFull,
    events: rows
      .filter((row) => row.trackDeletedAt === null && row.streamDeletedAt === null)
      .map(({ trackDeletedAt: _track, streamDeletedAt: _stream, details, data, ...row }) => ({
        ...row,
        accountId,
        data: readEventData(data, details),
      })),
    // Of events that are deleted no row is left.
    upTo: isFull ? (rows.at(-1)?.seq ?? after) : Math.max(newest, rows.at(-1)?.seq ?? 0),
  };
}
