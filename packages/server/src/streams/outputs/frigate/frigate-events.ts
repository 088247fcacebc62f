import { LRUCache } from 'lru-cache';
import type { Database } from '../../../storage/database.js';
import { readEventData } from '../../events.js';
import type { OutgoingEvent } from '../read-events.js';
import { addEvent, type FrigateState, type TrackFacts, toFrigateState } from './frigate-state.js';

/** A message of `frigate/events`. */
interface FrigateEvent {
  readonly type: 'new' | 'update' | 'end';
  readonly before: FrigateState;
  readonly after: FrigateState;
}

interface Known {
  readonly seq: number;
  readonly facts: TrackFacts;
  readonly last: Pick<OutgoingEvent, 'at' | 'data'>;
}

const maxTracks = 2000;
const pageSize = 200;

/** Makes messages of Frigate from events, which say less of a track's past. */
export function createFrigateEvents({ query }: Pick<Database, 'query'>) {
  const known = new LRUCache<string, Known>({ max: maxTracks });

  /** What is known of a track before an event: what was seen since the last message is read. */
  const readBefore = async (trackId: string, seq: number): Promise<Known | null> => {
    const cached = known.get(trackId);
    let before = cached !== undefined && cached.seq < seq ? cached : null;
    for (;;) {
      const rows = await query
        .selectFrom('stream_event')
        .innerJoin('stream_track', 'stream_track.id', 'stream_event.track_id')
        .select(['stream_event.seq', 'stream_event.at', 'stream_event.data', 'stream_track.details'])
        .where('stream_event.track_id', '=', trackId)
        .where('stream_event.seq', '>', before?.seq ?? 0)
        .where('stream_event.seq', '<', seq)
        .orderBy('stream_event.seq')
        .limit(pageSize)
        .execute();
      for (const row of rows)
        before = next(before, { seq: row.seq, at: row.at, data: readEventData(row.data, row.details) });
      if (rows.length < pageSize) return before;
    }
  };

  return {
    /** Null for an event that belongs to no track. */
    async messageOf(event: OutgoingEvent, camera: string): Promise<FrigateEvent | null> {
      const { trackId, seq } = event;
      if (trackId === null) return null;
      const before = await readBefore(trackId, seq);
      const now = next(before, event);
      known.set(trackId, now);
      const after = toFrigateState({ ...event, trackId }, camera, now.facts);
      const type = event.kind === 'start' ? 'new' : event.kind === 'end' ? 'end' : 'update';
      // Of a new object Frigate says that it was taken for none before.
      if (before === null || type === 'new')
        return { type, before: { ...after, false_positive: type === 'new' }, after };
      return { type, before: toFrigateState({ ...before.last, trackId }, camera, before.facts), after };
    },
  };
}

function next(before: Known | null, event: Pick<OutgoingEvent, 'seq' | 'at' | 'data'>): Known {
  return { seq: event.seq, facts: addEvent(before?.facts ?? null, event), last: event };
}
