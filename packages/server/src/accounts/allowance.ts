import { type Compilable, sql } from 'kysely';
import type { Clock } from '../clock.js';
import { ServiceError } from '../errors/service-error.js';
import type { Database } from '../storage/database.js';
import { prepare, type ValueOf } from '../storage/prepare.js';
import { StorageError } from '../storage/storage-error.js';
import type { Caller, Reservation } from './caller.js';

/** Counting of calls against an account's allowance and in its usage: always both, or neither. */
export interface Allowance {
  /**
   * Allows one call. Where calls can run out it is counted at once; without room it throws `trial_limit`. However many
   * race for the last calls, exactly as many succeed as there are.
   */
  reserve(caller: Caller, operation: string): Promise<Reservation>;
  /**
   * Makes a call count for good, in one unit with the caller's statements. Throws `invalid_api_key` or `trial_limit`, and
   * has done nothing, when the key was revoked or the account got a limit since the call began.
   */
  settle(reservation: Reservation, statements: readonly Compilable[]): Promise<void>;
  /** The call did not count after all. */
  giveBack(reservation: Reservation): Promise<void>;
}

export function createAllowance(database: Database, clock: Clock): Allowance {
  const { query } = database;
  const countInAccount = prepare(query, (from, value: ValueOf<{ accountId: number }>) =>
    from
      .updateTable('account')
      // Without room the new count is NULL, which the column refuses: that undoes the whole unit, on SQLite and PostgreSQL.
      .set({
        calls_used: sql<number>`case when call_limit is null or calls_used < call_limit then calls_used + 1 end`,
      })
      .where('id', '=', value('accountId')),
  );
  const countInUsage = prepare(query, (into, value: ValueOf<UsageKey>) =>
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
  const countStatements = ({ caller, operation, day }: Reservation) => {
    const { accountId, keyId } = caller;
    return [countInAccount({ accountId }), countInUsage({ accountId, keyId, operation, day })];
  };

  const tellRefusal = async (error: unknown, { keyId }: Caller): Promise<never> => {
    if (!(error instanceof StorageError && error.code === 'not-null')) throw error;
    const key = await query
      .selectFrom('api_key')
      .select('id')
      .where('id', '=', keyId)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    throw key
      ? new ServiceError(
          'trial_limit',
          'All calls of this trial account are used up; ask the operator for more.',
          { cause: error },
        )
      : new ServiceError('invalid_api_key', 'the API key was revoked', { cause: error });
  };
  const write = async (statements: readonly Compilable[], caller: Caller) => {
    if (statements.length === 0) return;
    await database.write(statements).catch((error: unknown) => tellRefusal(error, caller));
  };

  return {
    async reserve(caller, operation) {
      const day = new Date(clock()).toISOString().slice(0, 10);
      const reservation = { caller, operation, day, isCounted: caller.hasLimit };
      if (caller.hasLimit) await write(countStatements(reservation), caller);
      return reservation;
    },
    async settle(reservation, statements) {
      const counting = reservation.isCounted ? [] : countStatements(reservation);
      await write([...counting, ...statements], reservation.caller);
    },
    async giveBack({ caller, operation, day, isCounted }) {
      if (!isCounted) return;
      await database.write([
        query
          .updateTable('account')
          .set({ calls_used: sql<number>`calls_used - 1` })
          .where('id', '=', caller.accountId)
          .where('calls_used', '>', 0),
        query
          .updateTable('usage')
          .set({ calls: sql<number>`calls - 1` })
          .where('key_id', '=', caller.keyId)
          .where('day', '=', day)
          .where('operation', '=', operation)
          .where('calls', '>', 0),
      ]);
    },
  };
}

interface UsageKey {
  readonly accountId: number;
  readonly keyId: number;
  readonly operation: string;
  readonly day: string;
}
