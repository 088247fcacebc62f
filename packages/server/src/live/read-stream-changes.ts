import type { Clock } from '../core/clock.js';
import type { Database } from '../storage/database.js';
import { createStreamEvents } from '../streams/events.js';
import { createStreamStates } from '../streams/stream-states.js';
import type { Change } from './change.js';

/** What changed in the streams of an account since the last look; what the first answers is of no use. */
type ReadStreamChanges = () => Promise<readonly Change[]>;

export function createStreamChangeReader(
  deps: { readonly database: Pick<Database, 'query'>; readonly clock: Clock },
  accountId: number,
  maxOfKind: number,
): ReadStreamChanges {
  const { query } = deps.database;
  const states = createStreamStates(deps);
  const events = createStreamEvents(deps.database);
  let lastStates: ReadonlyMap<number, string> = new Map();
  let lastSeq: number | null = null;

  const readStates = async (): Promise<Change[]> => {
    const streams = await query
      .selectFrom('stream')
      .select(['id', 'is_enabled', 'created_at as createdAt'])
      .where('account_id', '=', accountId)
      .where('deleted_at', 'is', null)
      .execute();
    const found = await states.read(
      accountId,
      streams.map(({ is_enabled, ...stream }) => ({ ...stream, isEnabled: is_enabled === 1 })),
    );
    const before = lastStates;
    lastStates = new Map([...found].map(([id, state]) => [id, JSON.stringify(state)]));
    return [...found]
      .filter(([id]) => before.get(id) !== lastStates.get(id))
      .map(([streamId, state]) => ({ kind: 'stream_state', streamId, state }));
  };

  /** Their numbers rise in the order of commits, so that none comes late. */
  const readEvents = async (): Promise<Change[]> => {
    const counter = await query
      .selectFrom('account_counter')
      .select('last')
      .where('account_id', '=', accountId)
      .where('kind', '=', 'stream_event')
      .executeTakeFirst();
    const newest = counter?.last ?? 0;
    const before = lastSeq;
    lastSeq = newest;
    if (before === null || newest <= before) return [];
    const found = await events.after(accountId, before, maxOfKind);
    return found.filter(({ seq }) => seq <= newest).map((event) => ({ kind: 'stream_event', event }));
  };

  return async () => [...(await readStates()), ...(await readEvents())];
}
