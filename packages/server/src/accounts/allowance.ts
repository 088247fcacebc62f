import type { Compilable } from 'kysely';
import type { Clock } from '../core/clock.js';
import { ServiceError } from '../core/service-error.js';
import { isAnalysisInsert, prepareAnalysisInsert } from '../storage/analysis-insert.js';
import type { Database, WriteResult } from '../storage/database.js';
import { prepare, type ValueOf } from '../storage/prepare.js';
import { StorageError } from '../storage/storage-error.js';
import { createCallWriter } from './call-writer.js';
import type { Caller, Reservation } from './caller.js';
import { type CallKey, createCountStatements } from './count-statements.js';

/** A call that was ended while it ran, by a limit, a crash, a time-out or its client. */
export interface EndedCall {
  /** Processor time that it took. */
  readonly cpuMs: number;
}

/** Counting of calls against the allowances of account and key, and in the usage: always in all of them, or in none. */
export function createAllowance(database: Database, clock: Clock) {
  const { query } = database;
  const { count, takeBack, fail } = createCountStatements(database);
  const insertAnalysis = prepareAnalysisInsert(database);
  const unknown = new WeakSet<Reservation>();

  const limitsOf = prepare(query, (from, value: ValueOf<{ keyId: number }>) =>
    from
      .selectFrom('api_key')
      .innerJoin('account', 'account.id', 'api_key.account_id')
      .select([
        'account.call_limit as accountLimit',
        'account.calls_used as accountUsed',
        'api_key.call_limit as keyLimit',
        'api_key.calls_used as keyUsed',
      ])
      .where('api_key.id', '=', value('keyId'))
      .where('api_key.revoked_at', 'is', null)
      .where('account.closed_at', 'is', null),
  );
  const readLimits = async ({ keyId }: CallOwner) => {
    const [limits] = (await query.executeQuery(limitsOf({ keyId }))).rows;
    if (!limits) throw new ServiceError('invalid_api_key', 'the API key was revoked, or its account closed');
    return limits;
  };
  const rethrowRefusal = async (error: unknown, caller: CallOwner): Promise<never> => {
    // Of a deleted account no row is left that a result could belong to.
    if (error instanceof StorageError && error.code === 'constraint') await readLimits(caller);
    if (!(error instanceof StorageError && error.code === 'not-null')) throw error;
    return await refuse(caller);
  };
  const refuse = async (caller: CallOwner): Promise<never> => {
    const { accountLimit, accountUsed, keyLimit } = await readLimits(caller);
    const hasAccountCallsLeft = accountLimit === null || accountUsed < accountLimit;
    throw keyLimit !== null && hasAccountCallsLeft ? keyLimitError(keyLimit) : trialLimitError();
  };
  const write = async (statements: readonly Compilable[], caller: CallOwner) => {
    if (statements.length === 0) return [];
    return await database.write(statements).catch((error: unknown) => rethrowRefusal(error, caller));
  };
  const writer = createCallWriter({
    database,
    async writeSingly({ call, isCounting, analysis }) {
      const counting = isCounting ? count(call) : [];
      await write([...counting, ...(analysis ? [insertAnalysis(analysis)] : [])], call);
    },
  });
  /** Counts a call and executes the statements, in one unit; answers what they came to. */
  const writeCall = async (
    call: CallKey,
    isCounting: boolean,
    statements: readonly Compilable[],
  ): Promise<readonly WriteResult[]> => {
    const [first, ...others] = statements;
    const analysis = first && isAnalysisInsert(first) ? first.analysis : null;
    const isMerged = !database.groupsCommits && others.length === 0 && (!first || analysis !== null);
    if (isMerged && (isCounting || analysis)) {
      if (!(await writer.write({ call, isCounting, analysis }))) await refuse(call);
      return statements.map(() => ({ rows: [], changes: 1 }));
    }
    const counting = isCounting ? count(call) : [];
    return (await write([...counting, ...statements], call)).slice(counting.length);
  };

  return {
    /**
     * Throws `trial_limit` or `key_limit` when no call is left, and counts nothing: what is refused by it need not be
     * received. A call that it lets through may still find none left.
     */
    async checkCallsLeft(caller: Caller) {
      if (!caller.hasLimit) return;
      const { accountLimit, accountUsed, keyLimit, keyUsed } = await readLimits(caller);
      if (accountLimit !== null && accountUsed >= accountLimit) throw trialLimitError();
      if (keyLimit !== null && keyUsed >= keyLimit) throw keyLimitError(keyLimit);
    },
    /**
     * Allows one call. Where calls can run out it is counted at once; without room it throws `trial_limit` or `key_limit`.
     * However many race for the last calls, exactly as many succeed as there are.
     */
    async reserve(caller: Caller, operation: string): Promise<Reservation> {
      const day = new Date(clock()).toISOString().slice(0, 10);
      const reservation = { caller, operation, day, isCounted: caller.hasLimit };
      if (caller.hasLimit) await writeCall(callOf(reservation), true, []);
      return reservation;
    },
    /**
     * Makes a call count for good, in one unit with the caller's statements. Throws `invalid_api_key`, `trial_limit` or
     * `key_limit`, and has done nothing, when the key was revoked or a limit was set since the call began. Answers what the
     * caller's statements came to.
     */
    async settle(
      reservation: Reservation,
      statements: readonly Compilable[],
    ): Promise<readonly WriteResult[]> {
      try {
        return await writeCall(callOf(reservation), !reservation.isCounted, statements);
      } catch (error) {
        if (error instanceof StorageError && error.code === 'lost') unknown.add(reservation);
        throw error;
      }
    },
    /**
     * The call did not count after all; one that was ended stands in the usage as failed. It stays counted where the outcome of `settle` is
     * unknown: its result may be on disk.
     */
    async giveBack(reservation: Reservation, ended?: EndedCall) {
      const call = callOf(reservation);
      const isCounted = reservation.isCounted && !unknown.has(reservation);
      const statements = [...(isCounted ? takeBack(call) : []), ...(ended ? fail(call, ended.cpuMs) : [])];
      if (statements.length > 0) await database.write(statements);
    },
  };
}

type CallOwner = Pick<CallKey, 'keyId'>;

function callOf({ caller, operation, day }: Reservation): CallKey {
  return { accountId: caller.accountId, keyId: caller.keyId, operation, day };
}

function trialLimitError(): ServiceError {
  return new ServiceError('trial_limit', 'all calls of this account are used up; ask the operator for more');
}

function keyLimitError(keyLimit: number): ServiceError {
  return new ServiceError(
    'key_limit',
    `all calls of this API key are used up (its limit is ${keyLimit}); raise call_limit or use another key`,
  );
}
