import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { DataFolder } from '../storage/data-folder.js';
import { syncFolder } from '../storage/durable-folder.js';
import { describeAddress, type PostgresAddress } from '../storage/postgres/address.js';
import { StorageError } from '../storage/storage-error.js';
import { writeNewFile } from './new-file.js';
import type { PostgresPrograms } from './postgres-programs.js';
import { clearSchema, openSession, type PostgresSession, readState } from './postgres-session.js';
import { dumpWords } from './postgres-snapshot.js';
import type { OutsideDatabase } from './restore-archive.js';
import { unpackedDatabase } from './unpack-archive.js';

const replacedDump = 'lynceus.dump';
/** Nothing of ours, and to be changed by their owner alone. */
const leftOut = / (EXTENSION|SCHEMA|COMMENT - EXTENSION|COMMENT - SCHEMA) /;

/** The PostgreSQL database of a service, restored by `pg_restore` from a dump of `pg_dump`. */
export function postgresDatabase(
  folder: Pick<DataFolder, 'dir' | 'restoringDir'>,
  address: PostgresAddress,
  programs: PostgresPrograms,
): OutsideDatabase {
  const within = async <T>(work: (session: PostgresSession) => Promise<T>): Promise<T> => {
    const session = await openSession(address);
    try {
      return await work(session);
    } finally {
      await session.close();
    }
  };

  /** Cleared first and in a unit of its own: the marker of the restore says that this is not the end of it. */
  const load = async (dump: string): Promise<void> => {
    const list = (await buffer(toBuffers(programs.output('pg_restore', ['--list', dump])))).toString('utf8');
    const listPath = join(folder.restoringDir, 'restored.list');
    await mkdir(folder.restoringDir, { recursive: true, mode: 0o700 });
    await writeFile(
      listPath,
      list
        .split('\n')
        .filter((line) => !leftOut.test(line))
        .join('\n'),
    );
    await within(async (session) => {
      if (/ EXTENSION - vector /.test(list)) await session.query('CREATE EXTENSION IF NOT EXISTS vector');
      await clearSchema(session);
    });
    await programs.run('pg_restore', [
      ...[
        '--clean',
        '--if-exists',
        '--single-transaction',
        '--exit-on-error',
        '--no-owner',
        '--no-privileges',
      ],
      ...[`--use-list=${listPath}`, `--dbname=${address.database}`, dump],
    ]);
  };

  return {
    async check() {
      const { major, migrations, others } = await within(readState);
      await programs.check('pg_restore', major);
      await programs.check('pg_dump', major);
      if (migrations === null) {
        throw new StorageError(
          'damaged',
          `Nothing was restored: the PostgreSQL database ${describeAddress(address)} is that of another program.`,
        );
      }
      if (others === 0) return;
      throw new StorageError(
        'locked',
        `Nothing was restored: ${others} connections of services or commands are open to the PostgreSQL database ${describeAddress(address)}. Stop all services first.`,
      );
    },

    async setAside(dir) {
      const { tables } = await within(readState);
      if (tables.length === 0) return { replacedDump: null };
      await mkdir(dir, { mode: 0o700 });
      try {
        await writeNewFile(join(dir, replacedDump), programs.output('pg_dump', dumpWords), 0);
      } catch (error) {
        await rm(dir, { recursive: true, force: true });
        throw error;
      }
      await syncFolder(join(dir, '..'));
      return { replacedDump };
    },

    finish: () => load(join(folder.restoringDir, unpackedDatabase.postgres)),

    async undo({ asideDir, postgres }) {
      if (postgres === null) return;
      if (postgres.replacedDump === null) return within(clearSchema);
      await load(join(folder.dir, asideDir, postgres.replacedDump));
    },
  };
}

async function* toBuffers(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Buffer> {
  for await (const piece of pieces) yield Buffer.from(piece);
}
