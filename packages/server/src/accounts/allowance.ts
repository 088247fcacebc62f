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
  /** The statements that make a call count for good, for a unit of the caller's own. */
  settleStatements(reservation: Reservation): readonly Compilable[];
  /** The statements that undo a reservation, for a unit of the caller's own. */
  giveBackStatements(reservation: Reservation): readonly Compilable[];
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
        key_id: value('keyId'),
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

  return {
    async reserve(caller, operation) {
      const day = new Date(clock()).toISOString().slice(0, 10);
      const reservation = { caller, operation, day, isCounted: caller.hasLimit };
      if (caller.hasLimit) await database.write(countStatements(reservation)).catch(tellLimit);
      return reservation;
    },
    settleStatements: (reservation) => (reservation.isCounted ? [] : countStatements(reservation)),
    giveBackStatements({ caller, operation, day, isCounted }) {
      if (!isCounted) return [];
      return [
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
      ];
    },
  };
}

interface UsageKey {
  readonly accountId: number;
  readonly keyId: number;
  readonly operation: string;
  readonly day: string;
}

function tellLimit(error: unknown): never {
  if (error instanceof StorageError && error.code === 'not-null') {
    throw new ServiceError(
      'trial_limit',
      'All calls of this trial account are used up; ask the operator for more.',
      { cause: error },
    );
  }
  throw error;
}
