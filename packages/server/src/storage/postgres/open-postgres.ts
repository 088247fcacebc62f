import { type Compilable, Kysely } from 'kysely';
import type { Pool } from 'pg';
import { type AnchoredClock, createAnchoredClock } from '../../core/anchored-clock.js';
import type { PostgresAddress } from '../../core/postgres-address.js';
import { toBindable } from '../bindable.js';
import type { Database, WriteResult } from '../database.js';
import { isNamed } from '../prepare.js';
import type { Schema } from '../schema.js';
import { StorageError } from '../storage-error.js';
import { openPool } from './connect.js';
import { postgresDialect } from './dialect.js';
import { classifyError, explainPostgresError } from './explain.js';
import { runUnit, type Unit, type UnitStatement } from './run-unit.js';
import { watchServer } from './watch-server.js';
import { withClient } from './with-client.js';

export interface PostgresOptions {
  readonly address: PostgresAddress;
  /** Connections at most, at least 2: half of them write, the others read. */
  readonly connections: number;
  readonly onCommit?: (units: number, durationMs: number) => void;
  /** How long the server may be away before the service counts as not ready; `usualAwayGraceMs` unless given. */
  readonly awayGraceMs?: number;
}

/**
 * A restart or a failover of the server meets all services on it alike, and none is better than another: each answers 503 with
 * `Retry-After` itself, and works again at once. One that is cut off alone for longer leaves the balancer to the others.
 */
const usualAwayGraceMs = 15_000;

/** Reads and units together that may be under way or wait for a connection; above it they are refused at once. */
const maxUnderWay = 10_000;

/**
 * Opens a migrated database. Its clock is that of the server, asked for at once and every few seconds. Reads have connections of their own:
 * they cannot write, and never wait for those who do.
 */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { address, connections, onCommit, awayGraceMs = usualAwayGraceMs } = options;
  const readers = Math.floor(connections / 2);
  const reading = await openPool(address, readers, ['default_transaction_read_only = on']);
  const writing = await openPool(address, connections - readers, []);
  const underWay = new Set<Promise<unknown>>();
  let isClosed = false;

  const time = createAnchoredClock();
  const ask = () => askServer(writing, address, time);
  await ask();
  const watch = watchServer({ ask, graceMs: awayGraceMs });

  const perform = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isClosed) throw new StorageError('closed', 'The database is closed.');
    if (underWay.size >= maxUnderWay) {
      throw new StorageError('overloaded', 'The database is not keeping up; try again.');
    }
    const working = work();
    underWay.add(working);
    try {
      return await working;
    } catch (error) {
      const explained = explainPostgresError(error, address);
      if (classifyError(error) === 'away' || explained.code === 'lost') watch.noteAway(explained.message);
      throw explained;
    } finally {
      underWay.delete(working);
    }
  };

  const read = (sql: string, parameters: readonly unknown[]): Promise<WriteResult> => {
    const values = parameters.map(toBindable);
    return perform(() =>
      withClient(reading, async (client) => {
        const { rows, rowCount } = await client.query<Record<string, unknown>>(sql, values);
        return { rows, changes: rowCount ?? 0 };
      }),
    );
  };

  return {
    clock: time.clock,
    groupsCommits: false,
    query: new Kysely<Schema>({
      dialect: postgresDialect({ execute: async (sql, parameters) => read(sql, parameters), begin: null }),
    }),
    async write(statements, { isSerialized = false, units = 1 } = {}) {
      const unit: Unit = { statements: statements.map(toStatement), isSerialized };
      const sentAt = performance.now();
      const results = await perform(() => withClient(writing, (client) => runUnit(client, unit)));
      onCommit?.(units, performance.now() - sentAt);
      return results;
    },
    compact: async () => undefined,
    isReady: () => (isClosed ? 'The database is closed.' : watch.isReady()),
    async close() {
      if (isClosed) return;
      isClosed = true;
      await Promise.allSettled(underWay);
      await watch.stop();
      await Promise.all([reading.end(), writing.end()]);
    },
  };
}

const question =
  "SELECT current_setting('transaction_read_only') AS read_only, " +
  '(extract(epoch FROM clock_timestamp()) * 1000)::double precision AS epoch_ms';

async function askServer(pool: Pool, address: PostgresAddress, time: AnchoredClock): Promise<true | string> {
  try {
    const row = await withClient(pool, async (client) => {
      // Once connected: the time until then is none of the round trip.
      const askedMs = performance.now();
      const { rows } = await client.query<{ read_only: string; epoch_ms: number }>(question);
      const [answer] = rows;
      if (answer) time.anchor(answer.epoch_ms, askedMs, performance.now());
      return answer;
    });
    if (row?.read_only !== 'on') return true;
    return 'The PostgreSQL server takes no writes: it is a standby, or made read-only.';
  } catch (error) {
    const { code, message } = explainPostgresError(error, address);
    // One that has much to do is there.
    return code === 'overloaded' ? true : message;
  }
}

/** Values are checked here, so that the caller's stack shows who bound what. */
function toStatement(statement: Compilable): UnitStatement {
  const { sql, parameters } = statement.compile();
  const values = parameters.map(toBindable);
  return { text: sql, values, ...(isNamed(statement) ? { name: statement.statementName } : {}) };
}
