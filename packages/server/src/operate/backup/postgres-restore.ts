import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describeAddress, type PostgresAddress } from '../../core/postgres-address.js';
import type { DataFolder } from '../../storage/data-folder.js';
import { makeFolder } from '../../storage/durable-folder.js';
import { type RestoreMarker, writeRestoreMarker } from '../../storage/restore/restore-marker.js';
import type { OnStep } from '../../storage/restore/swap.js';
import { fileTime } from '../../storage/sqlite/migrate.js';
import { StorageError } from '../../storage/storage-error.js';
import { writeNewFile } from './new-file.js';
import { refuseOtherInstallation } from './other-installation.js';
import { requireAlone } from './postgres-alone.js';
import type { PostgresPrograms } from './postgres-programs.js';
import { clearSchema, openSession, type PostgresSession, readState } from './postgres-session.js';
import { dumpWords } from './postgres-snapshot.js';
import type { OutsideDatabase } from './restore-archive.js';
import { unpackedDatabase } from './unpack-archive.js';

/** Nothing of ours, and to be changed by their owner alone. */
const leftOut = / (EXTENSION|SCHEMA|COMMENT - EXTENSION|COMMENT - SCHEMA) /;

interface PostgresRestoreOptions {
  /** Whether an operator said that services on other data folders have ended, although the database does not know it. */
  readonly areOthersStopped?: boolean;
}

type RestoreFolder = Pick<
  DataFolder,
  'dir' | 'identityPath' | 'restoringDir' | 'backupsDir' | 'restoreMarkerPath'
>;

/**
 * The PostgreSQL database of a service, restored by `pg_restore` from a dump of `pg_dump`. What is in it is dumped first, in
 * the transaction that clears it: nothing that another service was answered for is between the two.
 */
export function postgresDatabase(
  folder: RestoreFolder,
  address: PostgresAddress,
  programs: PostgresPrograms,
  { areOthersStopped = false }: PostgresRestoreOptions = {},
): OutsideDatabase {
  const within = async <T>(work: (session: PostgresSession) => Promise<T>): Promise<T> => {
    const session = await openSession(address);
    try {
      return await work(session);
    } finally {
      await session.close();
    }
  };
  const requireAloneNow = (session: PostgresSession, asideDir: string | null) =>
    requireAlone(session, folder, { address, asideDir, areOthersStopped });

  /** @param replace from which dump; null: with nothing */
  const load = async (
    replace: string | null,
    marker: RestoreMarker,
    onStep: OnStep,
    onKept: (dump: string | null) => Promise<void>,
  ): Promise<void> => {
    const words = replace === null ? null : await restoreWords(replace);
    await within(async (session) => {
      // Until the session ends: whatever starts meanwhile waits for it.
      await session.holdSchema();
      await requireAloneNow(session, marker.asideDir);
      if (words?.needsVector) await session.query('CREATE EXTENSION IF NOT EXISTS vector');
      await session.query('BEGIN');
      // Once more under the locks, which nobody writes beside.
      const tables = await session.lockTables();
      await requireAloneNow(session, marker.asideDir);
      const dump = tables.length === 0 ? null : await keepPresent(folder, marker, programs);
      onStep('database dumped');
      await onKept(dump);
      await clearSchema(session);
      await session.query('COMMIT');
      onStep('database cleared');
      if (words !== null) await programs.run('pg_restore', words.words);
    });
  };

  const restoreWords = async (dump: string) => {
    const list = (await buffer(toBuffers(programs.output('pg_restore', ['--list', dump])))).toString('utf8');
    const listPath = join(folder.restoringDir, 'restored.list');
    await mkdir(folder.restoringDir, { recursive: true, mode: 0o700 });
    const kept = list.split('\n').filter((line) => !leftOut.test(line));
    await writeFile(listPath, kept.join('\n'));
    return {
      needsVector: / EXTENSION - vector /.test(list),
      words: [
        ...['--clean', '--if-exists', '--single-transaction', '--exit-on-error'],
        ...['--no-owner', '--no-privileges'],
        ...[`--use-list=${listPath}`, `--dbname=${address.database}`, dump],
      ],
    };
  };

  return {
    async check(wanted) {
      await within(async (session) => {
        const { major, migrations, installation } = await readState(session);
        await programs.check('pg_restore', major);
        await programs.check('pg_dump', major);
        if (migrations === null) {
          throw new StorageError(
            'damaged',
            `Nothing was restored: the PostgreSQL database ${describeAddress(address)} is that of another program.`,
          );
        }
        refuseOtherInstallation(wanted, installation, `the PostgreSQL database ${describeAddress(address)}`);
        await requireAloneNow(session, null);
      });
    },

    requireAlone: ({ asideDir }) => within((session) => requireAloneNow(session, asideDir)),

    finish: (marker, onStep) =>
      load(join(folder.restoringDir, unpackedDatabase.postgres), marker, onStep, async (dump) => {
        // The one that an undo wants is of before the first time.
        if (marker.postgres?.loading) return;
        await writeRestoreMarker(folder, { ...marker, postgres: { loading: { replacedDump: dump } } });
        onStep('loading recorded');
      }),

    async undo(marker, onStep) {
      // Nothing of the database was changed, unless by others.
      if (!marker.postgres?.loading) return;
      const { replacedDump } = marker.postgres.loading;
      const dump = replacedDump === null ? null : join(folder.dir, replacedDump);
      await load(dump, marker, onStep, async () => {});
    },
  };
}

async function* toBuffers(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Buffer> {
  for await (const piece of pieces) yield Buffer.from(piece);
}

/**
 * Dumps the database as it is into a file that no restore and no undo deletes: before the first change into the aside folder,
 * afterwards, when another service may have filled what was cleared, into a new file of `backups/`.
 * @returns where it is, below the data folder
 */
async function keepPresent(
  folder: Pick<DataFolder, 'dir' | 'backupsDir'>,
  { asideDir, postgres }: RestoreMarker,
  programs: PostgresPrograms,
): Promise<string> {
  const path = postgres?.loading ? freePath(folder) : `${asideDir}/lynceus.dump`;
  const target = join(folder.dir, path);
  await makeFolder(join(target, '..'));
  // Of an attempt that changed nothing.
  await rm(target, { force: true });
  await writeNewFile(target, programs.output('pg_dump', dumpWords), 0);
  return path;
}

function freePath({ dir }: Pick<DataFolder, 'dir'>): string {
  for (let count = 1; ; count += 1) {
    const name = `database-${fileTime(Date.now())}${count === 1 ? '' : `-${count}`}.dump`;
    if (!existsSync(join(dir, 'backups', name))) return `backups/${name}`;
  }
}
