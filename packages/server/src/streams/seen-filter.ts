import { type RawBuilder, sql } from 'kysely';
import type { StreamEventKind } from '../storage/tables/streams.js';

/** Which tracks, or events, are wanted; all that is given must hold. */
export interface SeenFilter {
  readonly streamId?: number | undefined;
  /** A class, as the track has it now. */
  readonly label?: string | undefined;
  readonly personId?: number | undefined;
  /** The name of a zone that the object entered. */
  readonly zone?: string | undefined;
  readonly trackId?: string | undefined;
  /** Of the event, or of one of the track's. */
  readonly kind?: StreamEventKind | undefined;
  /** From this moment on, in milliseconds since 1970. */
  readonly fromMs?: number | undefined;
  /** Before this moment. */
  readonly beforeMs?: number | undefined;
}

/**
 * Whether the object of `stream_track` entered a zone. Exact: a quote within a JSON string is escaped, so a name between bare quotes
 * before a colon is a field's.
 */
export function hasEntered(zone: string): RawBuilder<boolean> {
  const field = `"zone":${JSON.stringify(zone)}`;
  return sql<boolean>`exists (
    select 1 from stream_event as entry
    where entry.track_id = stream_track.id and entry.kind = 'zone_entered'
      and replace(entry.data, ${field}, '') <> entry.data)`;
}

/** Whether something of that kind happened to the object of `stream_track`. */
export function hasEvent(kind: StreamEventKind): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select 1 from stream_event as happened where happened.track_id = stream_track.id and happened.kind = ${kind})`;
}

/** Whether the stream of this table's row is visible. */
export function isStreamVisible(table: 'stream_track' | 'stream_event'): RawBuilder<boolean> {
  const { account_id, stream_id } = {
    account_id: sql.ref(`${table}.account_id`),
    stream_id: sql.ref(`${table}.stream_id`),
  };
  return sql<boolean>`exists (
    select 1 from stream where stream.account_id = ${account_id} and stream.id = ${stream_id} and stream.deleted_at is null)`;
}
