import type { PostgresAddress } from '../../core/postgres-address.js';
import type { FolderRow } from '../../storage/identity/database-identity.js';
import { makeClient } from '../../storage/postgres/connect.js';
import { explainPostgresError } from '../../storage/postgres/explain.js';
import { migrationLock } from '../../storage/postgres/migrate.js';
import type { NamedRows, Row } from './named-files.js';

const pageRows = 2000;

/** A connection of a backup's or a restore's own, without the bounds in time that a service has. */
export interface PostgresSession {
  query(sql: string): Promise<readonly Row[]>;
  /** Until the session ends, no service or command opens the database: they wait for this lock. */
  holdSchema(): Promise<void>;
  /** Within a transaction: nobody writes to our tables until it ends. Answers their names. */
  lockTables(): Promise<readonly string[]>;
  /** Within a transaction. */
  readonly rows: NamedRows;
  close(): Promise<void>;
}

export async function openSession(address: PostgresAddress): Promise<PostgresSession> {
  const client = await makeClient(address, { application_name: 'lynceus backup' });
  const query = async (sql: string): Promise<readonly Row[]> => {
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } catch (error) {
      throw explainPostgresError(error, address);
    }
  };
  try {
    await client.connect();
  } catch (error) {
    throw explainPostgresError(error, address);
  }
  // The server's own bounds would end a long backup.
  await query(
    'SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = 60000',
  );
  return {
    query,
    async holdSchema() {
      await query(`SELECT pg_advisory_lock(${migrationLock})`);
    },
    async lockTables() {
      const [row] = await query(
        `SELECT coalesce(string_agg(format('%I', tablename), ', '), '') AS names
           FROM pg_catalog.pg_tables WHERE schemaname = current_schema()`,
      );
      // Readers, such as a dump, go on.
      const names = String(row?.['names']);
      if (names !== '') await query(`LOCK TABLE ${names} IN EXCLUSIVE MODE`);
      return tablesOf(query);
    },
    rows: {
      async *inOrder(select) {
        await query(
          `DECLARE named NO SCROLL CURSOR FOR SELECT * FROM (${select}) AS named ORDER BY id COLLATE "C"`,
        );
        try {
          for (;;) {
            const some = await query(`FETCH ${pageRows} FROM named`);
            if (some.length === 0) return;
            yield some;
          }
        } finally {
          await query('CLOSE named').catch(() => undefined);
        }
      },
    },
    close: () => client.end().catch(() => undefined),
  };
}

/** Its tables, and whether another session works on them. */
interface DatabaseState {
  readonly major: number;
  readonly tables: readonly string[];
  /** Names of our changes; null where there are tables and none of ours. */
  readonly migrations: readonly string[] | null;
  /** Connections of services and commands. */
  readonly others: number;
  /** Which one it is; null where it does not say. */
  readonly installation: string | null;
  /** Data folders that are registered with it. */
  readonly folders: readonly RegisteredFolder[];
}

type RegisteredFolder = Pick<FolderRow, 'uid' | 'label' | 'seen_at' | 'stopped_at' | 'retired_at'>;

export async function readState({ query }: PostgresSession): Promise<DatabaseState> {
  const [server] = await query(
    `SELECT current_setting('server_version_num')::int / 10000 AS major,
            (SELECT count(*)::int FROM pg_stat_activity
              WHERE datname = current_database() AND application_name = 'lynceus') AS others`,
  );
  const tables = await tablesOf(query);
  const isOurs = tables.includes('kysely_migration');
  const applied = isOurs ? await query('SELECT name FROM kysely_migration ORDER BY name') : [];
  const isNamed = isOurs && tables.includes('installation') && tables.includes('data_folder');
  const [named] = isNamed ? await query('SELECT uid FROM installation') : [];
  const folders = isNamed
    ? await query('SELECT uid, label, seen_at, stopped_at, retired_at FROM data_folder')
    : [];
  return {
    installation: named === undefined ? null : String(named['uid']),
    folders: folders.map((row) => ({
      uid: String(row['uid']),
      label: String(row['label']),
      seen_at: Number(row['seen_at']),
      stopped_at: timeOf(row['stopped_at']),
      retired_at: timeOf(row['retired_at']),
    })),
    major: Number(server?.['major']),
    others: Number(server?.['others']),
    tables,
    migrations: tables.length > 0 && !isOurs ? null : applied.map(({ name }) => String(name)),
  };
}

async function tablesOf(query: PostgresSession['query']): Promise<readonly string[]> {
  const found = await query(
    'SELECT tablename AS name FROM pg_catalog.pg_tables WHERE schemaname = current_schema() ORDER BY 1',
  );
  return found.map(({ name }) => String(name));
}

function timeOf(value: unknown): number | null {
  return value === null ? null : Number(value);
}

/** Removes tables and functions, those of extensions aside: an older dump does not know of newer ones. */
export async function clearSchema({ query }: PostgresSession): Promise<void> {
  await query(`DO $$
    DECLARE found record;
    BEGIN
      FOR found IN SELECT tablename AS name FROM pg_catalog.pg_tables WHERE schemaname = current_schema()
      LOOP EXECUTE format('DROP TABLE IF EXISTS %I CASCADE', found.name); END LOOP;
      FOR found IN SELECT p.oid::regprocedure::text AS name FROM pg_catalog.pg_proc p
        WHERE p.pronamespace = current_schema()::regnamespace AND NOT EXISTS (
          SELECT 1 FROM pg_catalog.pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
      LOOP EXECUTE format('DROP ROUTINE IF EXISTS %s CASCADE', found.name); END LOOP;
    END $$`);
}
