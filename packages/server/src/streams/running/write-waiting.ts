import { sql } from 'kysely';
import type { Clock } from '../../core/clock.js';
import type { Database } from '../../storage/database.js';
import type { RunnableStream } from '../streams.js';

/** For the owner of a stream that has no place. */
export const noRoom =
  'all places for streams are taken: accounts take turns, and it runs once a place is free; the operator can raise streamMaxPerReplica';

/** A state is valid for a minute, so it is written again before that. */
const writeAgainMs = 30_000;
/** A state younger than this was written by a service that runs the stream: such a service writes more often. */
const heldMs = 25_000;
const atOnce = 100;

/** Writes the state `waiting` of streams without a place, repeatedly while they wait. The state of a stream that another service runs stays. */
export function createWaitingWriter({
  database,
  clock,
}: {
  readonly database: Pick<Database, 'query' | 'write'>;
  readonly clock: Clock;
}): (waiting: readonly RunnableStream[]) => Promise<void> {
  const { query } = database;
  let writtenMs: ReadonlyMap<string, number> = new Map();

  return async (waiting) => {
    const nowMs = performance.now();
    const due = waiting
      .filter((stream) => nowMs - (writtenMs.get(keyOf(stream)) ?? Number.NEGATIVE_INFINITY) >= writeAgainMs)
      .slice(0, atOnce);
    const isDue = new Set(due.map(keyOf));
    writtenMs = new Map(
      waiting.flatMap((stream) => {
        const key = keyOf(stream);
        const atMs = isDue.has(key) ? nowMs : writtenMs.get(key);
        return atMs === undefined ? [] : [[key, atMs] as const];
      }),
    );
    if (due.length === 0) return;
    const now = clock();
    const streams = query
      .selectFrom('stream')
      .select((eb) => [
        'account_id',
        'id as stream_id',
        eb.val('waiting').as('state'),
        eb.val(noRoom).as('reason'),
        eb.val(now).as('since'),
        eb.val(0).as('analysed_millifps'),
        eb.val(now).as('updated_at'),
      ])
      .where('deleted_at', 'is', null)
      .where((eb) =>
        eb.or(due.map(({ accountId, id }) => eb.and([eb('account_id', '=', accountId), eb('id', '=', id)]))),
      );
    await database.write([
      query
        .insertInto('stream_state')
        .columns(['account_id', 'stream_id', 'state', 'reason', 'since', 'analysed_millifps', 'updated_at'])
        .expression(streams)
        .onConflict((conflict) =>
          conflict
            .columns(['account_id', 'stream_id'])
            .doUpdateSet((eb) => ({
              // A stream that made room has a reason of its own.
              reason: sql`case when stream_state.state = 'waiting' then stream_state.reason else ${eb.ref('excluded.reason')} end`,
              since: sql`case when stream_state.state = 'waiting' then stream_state.since else ${eb.ref('excluded.since')} end`,
              state: eb.ref('excluded.state'),
              analysed_millifps: 0,
              updated_at: eb.ref('excluded.updated_at'),
            }))
            .where('stream_state.updated_at', '<', now - heldMs),
        ),
    ]);
  };
}

const keyOf = ({ accountId, id }: RunnableStream) => `${accountId} ${id}`;
