import { type Compilable, sql } from 'kysely';
import type { Clock } from '../clock.js';
import { ServiceError } from '../errors/service-error.js';
import type { Database } from '../storage/database.js';
import { StorageError } from '../storage/storage-error.js';
import type { Caller, Reservation } from './caller.js';

/**
 * Allows one call. Where calls can run out it is counted at once, against the allowance and in the usage, both or
 * neither; without room it throws `trial_limit`. However many race for the last calls, exactly as many succeed as
 * there are.
 */
export async function reserveCall(
  database: Database,
  clock: Clock,
  caller: Caller,
  operation: string,
): Promise<Reservation> {
  const day = new Date(clock()).toISOString().slice(0, 10);
  const reservation = { caller, operation, day, isCounted: caller.hasLimit };
  if (!caller.hasLimit) return reservation;
  try {
    await database.write(countStatements(database, reservation));
  } catch (error) {
    if (error instanceof StorageError && error.code === 'not-null') {
      throw new ServiceError(
        'trial_limit',
        'All calls of this trial account are used up; ask the operator for more.',
        { cause: error },
      );
    }
    throw error;
  }
  return reservation;
}

/** The statements that make a call count for good, for a unit of the caller's own. */
export function settleStatements(database: Database, reservation: Reservation): readonly Compilable[] {
  return reservation.isCounted ? [] : countStatements(database, reservation);
}

/** The statements that undo a reservation, for a unit of the caller's own. */
export function giveBackStatements(database: Database, reservation: Reservation): readonly Compilable[] {
  const { caller, operation, day, isCounted } = reservation;
  if (!isCounted) return [];
  const { query } = database;
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
}

function countStatements(
  { query }: Database,
  { caller, operation, day }: Reservation,
): readonly Compilable[] {
  return [
    query
      .updateTable('account')
      // Without room the new count is NULL, which the column refuses: that undoes the whole unit, on SQLite and PostgreSQL.
      .set({
        calls_used: sql<number>`case when call_limit is null or calls_used < call_limit then calls_used + 1 end`,
      })
      .where('id', '=', caller.accountId),
    query
      .insertInto('usage')
      .values({ account_id: caller.accountId, key_id: caller.keyId, operation, day, calls: 1 })
      .onConflict((conflict) =>
        conflict.columns(['key_id', 'day', 'operation']).doUpdateSet({ calls: sql<number>`usage.calls + 1` }),
      ),
  ];
}
