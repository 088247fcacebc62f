import type { Database } from '../storage/database.js';
import { type Page, type PageRequest, toPage } from '../storage/page.js';
import type { StreamEventKind } from '../storage/tables/streams.js';
import type { StreamEventData } from './event-data.js';
import { hasEntered, isStreamVisible, type SeenFilter } from './seen-filter.js';
import { readDetails } from './tracks.js';

/** What happened to an object. */
export interface StreamEvent {
  /** Counted up in the account, in the order in which events are stored. */
  readonly seq: number;
  readonly streamId: number;
  readonly kind: StreamEventKind;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly data: StreamEventData;
}

type EventPosition = readonly [at: number, seq: number];

export type StreamEvents = ReturnType<typeof createStreamEvents>;

export function createStreamEvents({ query }: Pick<Database, 'query'>) {
  const visible = (accountId: number) =>
    query
      .selectFrom('stream_event')
      .leftJoin('stream_track', 'stream_track.id', 'stream_event.track_id')
      .select([
        'stream_event.seq as seq',
        'stream_event.stream_id as streamId',
        'stream_event.kind as kind',
        'stream_event.at as at',
        'stream_event.data as data',
        'stream_track.details as details',
      ])
      .where('stream_event.account_id', '=', accountId)
      .where('stream_track.deleted_at', 'is', null)
      .where(isStreamVisible('stream_event'));

  return {
    /** The newest first; without those of hidden tracks and streams, and without the names of people that users refused. */
    async list(
      accountId: number,
      filter: SeenFilter,
      { limit, after }: PageRequest<EventPosition>,
    ): Promise<Page<StreamEvent, EventPosition>> {
      const { streamId, label, personId, zone, trackId, kind, fromMs, beforeMs } = filter;
      let rows = visible(accountId);
      if (streamId !== undefined) rows = rows.where('stream_event.stream_id', '=', streamId);
      if (trackId !== undefined) rows = rows.where('stream_event.track_id', '=', trackId);
      if (kind !== undefined) rows = rows.where('stream_event.kind', '=', kind);
      if (label !== undefined) rows = rows.where('stream_track.label', '=', label);
      if (personId !== undefined) rows = rows.where('stream_track.person_id', '=', personId);
      if (zone !== undefined) rows = rows.where(hasEntered(zone));
      if (fromMs !== undefined) rows = rows.where('stream_event.at', '>=', fromMs);
      if (beforeMs !== undefined) rows = rows.where('stream_event.at', '<', beforeMs);
      if (after !== undefined) {
        const [at, seq] = after;
        rows = rows
          // Beside the exact condition, one that an index can use.
          .where('stream_event.at', '<=', at)
          .where((row) => row.or([row('stream_event.at', '<', at), row('stream_event.seq', '<', seq)]));
      }
      const found = await rows
        .orderBy('stream_event.at', 'desc')
        .orderBy('stream_event.seq', 'desc')
        .limit(limit + 1)
        .execute();
      return toPage(found.map(toEvent), limit, ({ at, seq }): EventPosition => [at, seq]);
    },

    /** Those after one, in the order of their numbers. */
    async after(accountId: number, seq: number, limit: number): Promise<readonly StreamEvent[]> {
      const found = await visible(accountId)
        .where('stream_event.seq', '>', seq)
        .orderBy('stream_event.seq')
        .limit(limit)
        .execute();
      return found.map(toEvent);
    },
  };
}

interface EventRow extends Omit<StreamEvent, 'data'> {
  readonly data: string;
  /** Of its track. */
  readonly details: string | null;
}

function toEvent({ data: text, details, ...event }: EventRow): StreamEvent {
  return { ...event, data: readEventData(text, details) };
}

/**
 * Without the name of a person that a user refused since.
 * @param details of the event's track; null where it has none
 */
export function readEventData(text: string, details: string | null): StreamEventData {
  // Written by us alone.
  const data: StreamEventData = JSON.parse(text);
  const { refused = [] } = details === null ? {} : readDetails({ details });
  const isRefused = data.person !== null && refused.includes(data.person.id);
  return isRefused ? { ...data, person: null } : data;
}
