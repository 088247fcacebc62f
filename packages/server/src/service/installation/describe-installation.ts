import { stat, statfs } from 'node:fs/promises';
import type { RunnerStats } from '@lynceus/engine';
import { sql } from 'kysely';
import type { Clock } from '../../core/clock.js';
import type { Readiness } from '../../core/lifecycle.js';
import type { Database } from '../../storage/database.js';
import type { ListedReplica } from '../replicas/replica-rows.js';

/** How the service is, for its administrators. */
export interface InstallationState {
  readonly version: string;
  readonly startedAt: number;
  readonly readiness: Readiness;
  readonly inference: Pick<
    RunnerStats,
    'queued' | 'processes' | 'int8' | 'crashed' | 'recycled' | 'outgrown' | 'timeouts'
  >;
  readonly database: { readonly kind: 'sqlite' | 'postgresql'; readonly bytes: number | null };
  /** Of the disk that the data folder is on; null where the system does not report it. */
  readonly disk: { readonly freeBytes: number; readonly bytes: number } | null;
  /** Services on the database, this one among them. */
  readonly replicas: readonly ListedReplica[];
  readonly jobs: { readonly waiting: number; readonly running: number };
}

interface InstallationDeps {
  readonly version: string;
  readonly database: Database;
  readonly clock: Clock;
  readonly readiness: () => Readiness;
  readonly listReplicas: () => Promise<readonly ListedReplica[]>;
  readonly stats: () => RunnerStats;
  readonly folder: { readonly dir: string; readonly databasePath: string };
  /** Whether the database is a file of the data folder. */
  readonly isSqlite: boolean;
}

export function createDescribeInstallation(deps: InstallationDeps): () => Promise<InstallationState> {
  const { version, database, clock, folder, isSqlite } = deps;
  const startedAt = clock();
  return async () => {
    const [bytes, disk, jobs, replicas] = await Promise.all([
      isSqlite ? readSqliteBytes(folder.databasePath) : readPostgresBytes(database),
      readDisk(folder.dir),
      countJobs(database),
      deps.listReplicas(),
    ]);
    const { queued, processes, int8, crashed, recycled, outgrown, timeouts } = deps.stats();
    return {
      version,
      startedAt,
      readiness: deps.readiness(),
      inference: { queued, processes, int8, crashed, recycled, outgrown, timeouts },
      database: { kind: isSqlite ? 'sqlite' : 'postgresql', bytes },
      disk,
      replicas,
      jobs,
    };
  };
}

async function countJobs({ query }: Pick<Database, 'query'>) {
  const rows = await query
    .selectFrom('job')
    .select((row) => ['state', row.fn.countAll<number>().as('jobs')])
    .where('state', 'in', ['waiting', 'running'])
    .groupBy('state')
    .execute();
  const of = (state: string) => rows.find((row) => row.state === state)?.jobs ?? 0;
  return { waiting: of('waiting'), running: of('running') };
}

/** The write-ahead log counts: what was written lately is there alone. */
async function readSqliteBytes(path: string): Promise<number | null> {
  const [database, log] = await Promise.all(
    [stat(path), stat(`${path}-wal`)].map((found) => found.catch(() => null)),
  );
  return database ? database.size + (log?.size ?? 0) : null;
}

/** Null where the user may not ask. */
async function readPostgresBytes({ query }: Pick<Database, 'query'>): Promise<number | null> {
  const size = sql<number>`pg_database_size(current_database())`;
  const row = await query
    .selectNoFrom([size.as('bytes')])
    .executeTakeFirst()
    .catch(() => undefined);
  return row?.bytes ?? null;
}

async function readDisk(dir: string): Promise<InstallationState['disk']> {
  const disk = await statfs(dir).catch(() => null);
  return disk && { freeBytes: disk.bavail * disk.bsize, bytes: disk.blocks * disk.bsize };
}
