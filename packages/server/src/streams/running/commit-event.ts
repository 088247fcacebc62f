import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../storage/database.js';
import { StorageError } from '../../storage/storage-error.js';
import type { StreamEventData } from '../event-data.js';
import type { FollowedTrack, QueuedEvent } from './event-queue.js';
import { createEventUnits, type EventToWrite, type RecordedTrack } from './event-units.js';
import type { StreamHold } from './hold-stream.js';

export interface CommitEventDeps {
  readonly database: Pick<Database, 'query' | 'write'>;
  readonly hold: Pick<StreamHold, 'fence' | 'isHeld'>;
  readonly stream: { readonly accountId: number; readonly streamId: number };
  /** A track is not this person: its user said so, or the person was deleted. */
  readonly onRefused: (trackId: number, personId: number) => void;
  readonly onFailure: (error: unknown, message: string) => void;
}

/**
 * Writes an event and its track, and tries again while the database is away, until the signal fires. Null where it is given up: its
 * track or its stream was deleted, or it cannot be kept.
 */
type CommitEvent = (
  queued: QueuedEvent,
  snapshot: EventToWrite['snapshot'],
  signal: AbortSignal,
) => Promise<StreamEventData | null>;

export function createCommitEvent(deps: CommitEventDeps): CommitEvent {
  const { database, hold, stream, onRefused, onFailure } = deps;
  const { query } = database;
  const { accountId, streamId } = stream;
  const toUnit = createEventUnits(database, stream);

  /** What a unit that was undone means. Throws while the database cannot say. */
  const explain = async (
    { track, event }: QueuedEvent,
    after: RecordedTrack,
    error: unknown,
  ): Promise<'written' | 'changed' | 'retry' | 'give-up'> => {
    const row = await query
      .selectFrom('stream_track')
      .select(['details', 'deleted_at'])
      .where('id', '=', track.recorded.id)
      .executeTakeFirst();
    // The connection may have been lost after the commit.
    if (row?.details === after.details) return 'written';
    const code = error instanceof StorageError ? error.code : 'internal';
    if (code === 'value' || code === 'internal' || code === 'closed') return 'give-up';
    if (code === 'constraint') return (await isStreamThere()) ? 'retry' : 'give-up';
    if (code !== 'not-null' || !(await hold.isHeld())) return 'retry';
    if (track.recorded.details !== null && (row === undefined || row.deleted_at !== null)) {
      track.isGone = true;
      return 'give-up';
    }
    return (await takeRefusals(track, event.track.person?.personId, row?.details ?? null))
      ? 'changed'
      : 'retry';
  };

  /** Answers whether something was learnt that makes another unit of the event. */
  const takeRefusals = async (
    track: FollowedTrack,
    personId: number | undefined,
    details: string | null,
  ): Promise<boolean> => {
    const before = track.recorded;
    const refused = new Set([...before.refused, ...(details === null ? [] : readRefused(details))]);
    if (personId !== undefined && !(await isPersonThere(personId))) refused.add(personId);
    const added = [...refused].filter((id) => !before.refused.includes(id));
    for (const id of added) onRefused(track.last.id, id);
    track.recorded = { ...before, refused: [...refused], details };
    return added.length > 0 || details !== before.details;
  };

  const isPersonThere = async (personId: number) =>
    (await query
      .selectFrom('person')
      .select('id')
      .where('account_id', '=', accountId)
      .where('id', '=', personId)
      .executeTakeFirst()) !== undefined;

  const isStreamThere = async () =>
    (await query
      .selectFrom('stream')
      .select('id')
      .where('account_id', '=', accountId)
      .where('id', '=', streamId)
      .executeTakeFirst()) !== undefined;

  return async (queued, snapshot, signal) => {
    const { track } = queued;
    for (let attempt = 0; !signal.aborted; ) {
      const { statements, after, data } = toUnit(track.recorded, { ...queued, snapshot });
      const outcome = await database.write([...statements, ...hold.fence()]).then(
        () => 'written' as const,
        async (error: unknown) => {
          const found = await explain(queued, after, error).catch(() => 'retry' as const);
          if (found === 'give-up' && !track.isGone)
            onFailure(error, 'an event of a stream cannot be written');
          if (found === 'retry' && attempt === 0) onFailure(error, 'an event of a stream is written later');
          return found;
        },
      );
      if (outcome === 'written') {
        track.recorded = after;
        return data;
      }
      if (outcome === 'give-up') return null;
      if (outcome === 'retry') {
        await sleep(backOffMs(attempt), undefined, { signal }).catch(() => undefined);
        attempt += 1;
      }
    }
    return null;
  };
}

const firstBackOffMs = 100;
const longestBackOffMs = 5000;

function backOffMs(attempt: number): number {
  return Math.min(longestBackOffMs, firstBackOffMs * 2 ** Math.min(attempt, 10)) * (0.5 + Math.random() / 2);
}

/** People that a track is not, by its details as text. */
export function readRefused(details: string): readonly number[] {
  const { refused }: { refused?: unknown } = JSON.parse(details);
  return Array.isArray(refused) ? refused.filter((id) => Number.isInteger(id)) : [];
}
