import { describeAddress, type PostgresAddress } from '../../core/postgres-address.js';
import { shippedSteps } from '../../storage/migrations/migrations.js';
import { refuseBefore } from '../../storage/migrations/refuse-before.js';
import { pendingSteps } from '../../storage/migrations/run-migrations.js';
import { StorageError } from '../../storage/storage-error.js';
import type { PostgresPrograms } from './postgres-programs.js';
import { openSession, type PostgresSession, readState } from './postgres-session.js';
import type { SnapshotSource } from './snapshot.js';
import { olderThanCommand } from './sqlite-snapshot.js';

/** Of a dump: nothing in it is of this server's users. */
export const dumpWords: readonly string[] = ['--format=custom', '--no-owner', '--no-privileges'];

/** Snapshots of a PostgreSQL database: `pg_dump` and the rows that are read see the same one. */
export function postgresSource(address: PostgresAddress, programs: PostgresPrograms): SnapshotSource {
  const begin = async (session: PostgresSession): Promise<void> => {
    await session.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  };
  return {
    async take() {
      const session = await openSession(address);
      try {
        const { major, migrations } = await readState(session);
        await programs.check('pg_dump', major);
        checkMigrations(migrations, address);
        await begin(session);
        const [row] = await session.query('SELECT pg_export_snapshot() AS id');
        return {
          kind: 'postgres',
          migrations: migrations ?? [],
          sizeBytes: null,
          rows: session.rows,
          read: () => programs.output('pg_dump', [...dumpWords, `--snapshot=${String(row?.['id'])}`]),
          close: () => session.close(),
        };
      } catch (error) {
        await session.close();
        throw error;
      }
    },
    async now() {
      const session = await openSession(address);
      await begin(session);
      return { rows: session.rows, close: () => session.close() };
    },
  };
}

function checkMigrations(migrations: readonly string[] | null, address: PostgresAddress): void {
  const where = `PostgreSQL, ${describeAddress(address)},`;
  if (migrations === null || migrations.length === 0) {
    throw new StorageError('access', `${where} has no tables of Lynceus; is LYNCEUS_DATABASE_URL right?`);
  }
  refuseBefore(migrations, where);
  const pending = pendingSteps(
    shippedSteps,
    migrations,
    (unknown) => `${where} was made by a newer version (it has the change ${unknown}). Use its command.`,
  );
  if (pending.length > 0) throw olderThanCommand(where);
}
