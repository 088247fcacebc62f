import { type Compilable, sql } from 'kysely';
import type { Database } from '../storage/database.js';
import { prepare, type ValueOf } from '../storage/prepare.js';

/** What a call is counted by. */
export interface CallKey {
  readonly accountId: number;
  readonly keyId: number;
  readonly operation: string;
  /** UTC, as `2026-01-31`. */
  readonly day: string;
}

/**
 * Without room the new count is NULL, which the column refuses: that undoes the whole unit, by the same text on SQLite
 * and PostgreSQL. A condition in WHERE would only touch no row, and the rest of the unit would stand.
 */
const oneMore = sql<number>`case when call_limit is null or calls_used < call_limit then calls_used + 1 end`;
/** As unknown keys, those of an account that is about to be deleted count nothing. */
const oneMoreUnlessClosed = sql<number>`case when closed_at is null then ${oneMore} end`;
const oneLess = sql<number>`calls_used - 1`;

/**
 * The statements that count one call, and those that take it back: in the account, in the key and in the usage, always
 * in this order, so that two units never wait for each other crosswise.
 */
export function createCountStatements({ query }: Pick<Database, 'query'>) {
  const countInAccount = prepare(query, (from, value: ValueOf<CallKey>) =>
    from.updateTable('account').set({ calls_used: oneMoreUnlessClosed }).where('id', '=', value('accountId')),
  );
  const countInKey = prepare(query, (from, value: ValueOf<CallKey>) =>
    from.updateTable('api_key').set({ calls_used: oneMore }).where('id', '=', value('keyId')),
  );
  const countInUsage = prepare(query, (into, value: ValueOf<CallKey>) =>
    into
      .insertInto('usage')
      .values({
        account_id: value('accountId'),
        // Of a key revoked meanwhile nothing is left, and the column refuses that likewise.
        key_id: sql<number>`(select id from api_key where id = ${value('keyId')} and revoked_at is null)`,
        operation: value('operation'),
        day: value('day'),
        calls: 1,
      })
      .onConflict((conflict) =>
        conflict.columns(['key_id', 'day', 'operation']).doUpdateSet({ calls: sql<number>`usage.calls + 1` }),
      ),
  );
  const failInUsage = prepare(query, (into, value: ValueOf<CallKey & { cpuMs: number }>) =>
    into
      .insertInto('usage')
      .columns(['account_id', 'key_id', 'operation', 'day', 'calls', 'failed', 'failed_cpu_ms'])
      .expression((from) =>
        from
          .selectFrom('api_key')
          .where('id', '=', value('keyId'))
          .select([
            'account_id',
            'id',
            sql<string>`cast(${value('operation')} as text)`.as('operation'),
            sql<string>`cast(${value('day')} as text)`.as('day'),
            sql<number>`0`.as('calls'),
            sql<number>`1`.as('failed'),
            sql<number>`cast(${value('cpuMs')} as bigint)`.as('failed_cpu_ms'),
          ]),
      )
      .onConflict((conflict) =>
        conflict.columns(['key_id', 'day', 'operation']).doUpdateSet({
          failed: sql<number>`usage.failed + 1`,
          failed_cpu_ms: sql<number>`usage.failed_cpu_ms + excluded.failed_cpu_ms`,
        }),
      ),
  );
  return {
    /** Records that a call was ended while it ran, in the usage alone. */
    fail: (call: CallKey, cpuMs: number): readonly Compilable[] => [
      failInUsage({ ...call, cpuMs: Math.round(cpuMs) }),
    ],
    /** As one unit they fail with `not-null` where the account or the key has no call left, the key is revoked, or the account closed. */
    count: (call: CallKey): readonly Compilable[] => [
      countInAccount(call),
      countInKey(call),
      countInUsage(call),
    ],
    takeBack({ accountId, keyId, operation, day }: CallKey): readonly Compilable[] {
      return [
        query
          .updateTable('account')
          .set({ calls_used: oneLess })
          .where('id', '=', accountId)
          .where('calls_used', '>', 0),
        query
          .updateTable('api_key')
          .set({ calls_used: oneLess })
          .where('id', '=', keyId)
          .where('calls_used', '>', 0),
        query
          .updateTable('usage')
          .set({ calls: sql<number>`calls - 1` })
          .where('key_id', '=', keyId)
          .where('day', '=', day)
          .where('operation', '=', operation)
          .where('calls', '>', 0),
      ];
    },
  };
}
