import { giveBackStatements, reserveCall } from '../accounts/allowance.js';
import type { Clock } from '../clock.js';
import type { Database } from '../storage/database.js';
import type { CallLedger } from './call.js';

/** Counts calls in the database. A reserved call is on disk already, so settling writes the statements alone. */
export function createLedger(database: Database, clock: Clock): CallLedger {
  return {
    reserveCall: (caller, operation) => reserveCall(database, clock, caller, operation),
    giveBack: async (reservation) => {
      await database.write(giveBackStatements(database, reservation));
    },
    settle: async (_reservation, statements) => {
      if (statements.length > 0) await database.write(statements);
    },
  };
}
