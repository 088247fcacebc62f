import type { PoolClient } from 'pg';
import type { Bindable } from '../bindable.js';
import type { WriteResult } from '../database.js';
import { StorageError } from '../storage-error.js';
import { classifyError } from './explain.js';

export interface UnitStatement {
  readonly text: string;
  readonly values: Bindable[];
  /** Under which a connection keeps it parsed and planned. */
  readonly name?: string;
}

export interface Unit {
  readonly statements: readonly UnitStatement[];
  /** Whether it waits until no other such unit is under way on the database. */
  readonly isSerialized: boolean;
}

/** Any number of ours; it names the lock that units take which run one at a time. */
const serialLock = 7_246_301;

/** Runs a unit in a transaction of its own. On failure nothing of it happened, or it is `lost` and the outcome is unknown. */
export async function runUnit(client: PoolClient, unit: Unit): Promise<readonly WriteResult[]> {
  await client.query('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE');
  let results: readonly WriteResult[];
  try {
    if (unit.isSerialized) await client.query('SELECT pg_advisory_xact_lock($1)', [serialLock]);
    results = await runStatements(client, unit);
  } catch (error) {
    // A connection that is lost takes its transaction with it.
    if (classifyError(error) !== 'away') await client.query('ROLLBACK');
    throw error;
  }
  await commit(client);
  return results;
}

/**
 * Sends all statements before the first is answered, so that the rows they lock are not held for a round trip each. After
 * one that fails the server refuses the rest.
 */
async function runStatements(client: PoolClient, { statements }: Unit): Promise<readonly WriteResult[]> {
  const sent = statements.map((statement) => client.query<Record<string, unknown>>(statement));
  await Promise.allSettled(sent);
  return (await Promise.all(sent)).map(({ rows, rowCount }) => ({ rows, changes: rowCount ?? 0 }));
}

async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query('COMMIT').catch((error: unknown) => {
    const errorClass = classifyError(error);
    if (errorClass === 'again' || (errorClass === 'refused' && !isCancelled(error))) throw error;
    throw new StorageError(
      'lost',
      'The connection to PostgreSQL was lost on commit; the change may be on disk or not.',
    );
  });
  if (command !== 'COMMIT') throw new StorageError('internal', `PostgreSQL answered COMMIT with ${command}.`);
}

/** A commit that waits for a standby may be cancelled, and is on disk here all the same. */
function isCancelled(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '57014';
}
