import { EngineError, type Priority } from '@lynceus/engine';
import type { Compilable } from 'kysely';
import type { Caller, EndedCall, Reservation } from '../accounts/accounts.js';
import { toServiceError } from '../core/engine-errors.js';
import { ServiceError } from '../core/service-error.js';
import type { WriteResult } from '../storage/database.js';
import type { Found } from './results.js';

/** Counts the calls of accounts: each is reserved, then settled or given back. */
export interface CallLedger {
  /** Throws `trial_limit` or `key_limit` when no call is left, before anything of a body is received; counts nothing. */
  checkCallsLeft(caller: Caller): Promise<void>;
  /** The same, and counts a call. */
  reserveCall(caller: Caller, operation: string): Promise<Reservation>;
  /** Takes a reserved call back: it failed and does not count. One that was ended stands in the usage as failed. */
  giveBack(reservation: Reservation, ended?: EndedCall): Promise<void>;
  /** Makes a reserved call final, in one unit with the statements: all on disk when it resolves, or nothing. */
  settle(reservation: Reservation, statements: readonly Compilable[]): Promise<readonly WriteResult[]>;
}

/** A call that is reserved, and how to end it early. */
export interface Call {
  readonly reservation: Reservation;
  readonly signal: AbortSignal;
  /** By who waits; interactive unless given. */
  readonly priority?: Priority;
  /** Whether a JPEG with damage that decoders ignore is refused: its keywords would be wrong, and are kept in it. */
  readonly refuseDamage?: boolean;
  /** What else is written in the unit by which the call counts: all of it, or nothing. */
  readonly alongside?: (recorded: {
    readonly fileid: string;
    readonly found: Found;
  }) => readonly Compilable[];
}

/**
 * Reserves a call for `work`, which settles it by recording what it found. When `work` throws, a command that is refused
 * included, the call is given back. Errors of the engine leave as ServiceErrors.
 */
export async function countCall<T>(
  ledger: CallLedger,
  caller: Caller,
  operation: string,
  signal: AbortSignal,
  work: (call: Call) => Promise<T>,
): Promise<T> {
  const reservation = await ledger.reserveCall(caller, operation);
  try {
    return await work({ reservation, signal });
  } catch (error) {
    await ledger.giveBack(reservation, endedCall(error));
    throw toServiceError(error);
  }
}

/** What a call took that was ended from outside; undefined for any other error. */
function endedCall(error: unknown): EndedCall | undefined {
  const cause = error instanceof ServiceError ? error.cause : error;
  if (!(cause instanceof EngineError) || cause.cpuMs === undefined) return undefined;
  return { cpuMs: cause.cpuMs };
}
