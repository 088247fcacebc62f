import type { Clock } from '../core/clock.js';
import type { Database } from '../storage/database.js';
import type { ProcessLeases } from '../storage/leases/process-leases.js';
import { endOpenTracks } from './running/end-open-tracks.js';
import { holdStream, streamLeaseName } from './running/hold-stream.js';

interface EndAbandonedDeps {
  readonly database: Pick<Database, 'query' | 'write'>;
  readonly clock: Clock;
  readonly leases: Pick<ProcessLeases, 'owner' | 'rows'>;
}

/** The service that runs a stream writes its state every few seconds. */
const silentAfterMs = 60_000;

/** Ends tracks that are still open where nobody runs their stream: it is switched off, or whoever ran it is gone. */
export async function endAbandonedTracks(deps: EndAbandonedDeps): Promise<void> {
  const { database, clock } = deps;
  const abandoned = await database.query
    .selectFrom('stream_track')
    .innerJoin('stream', (join) =>
      join
        .onRef('stream.account_id', '=', 'stream_track.account_id')
        .onRef('stream.id', '=', 'stream_track.stream_id'),
    )
    .leftJoin('stream_state', (join) =>
      join
        .onRef('stream_state.account_id', '=', 'stream_track.account_id')
        .onRef('stream_state.stream_id', '=', 'stream_track.stream_id'),
    )
    .select(['stream_track.account_id as accountId', 'stream_track.stream_id as streamId'])
    .distinct()
    .where('stream_track.ended_at', 'is', null)
    .where('stream_track.deleted_at', 'is', null)
    .where('stream.deleted_at', 'is', null)
    .where(({ or, eb }) =>
      or([
        eb('stream.is_enabled', '=', 0),
        eb('stream_state.updated_at', 'is', null),
        eb('stream_state.updated_at', '<', clock() - silentAfterMs),
      ]),
    )
    .execute();
  for (const stream of abandoned) {
    const hold = await holdStream(deps, streamLeaseName(stream.accountId, stream.streamId));
    // Somebody runs it all the same.
    if (hold === null) continue;
    try {
      await endOpenTracks({ database, hold, stream, onRecorded: () => undefined, nowMs: clock() });
    } finally {
      await hold.release();
    }
  }
}
