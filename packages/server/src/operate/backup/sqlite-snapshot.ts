import { createReadStream, existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataFolder } from '../../storage/data-folder.js';
import { copyDatabase } from '../../storage/sqlite/backup.js';
import { type Connection, openConnection } from '../../storage/sqlite/connection.js';
import { pendingMigrations } from '../../storage/sqlite/migrate.js';
import { StorageError } from '../../storage/storage-error.js';
import type { NamedRows } from './named-files.js';
import type { SnapshotSource } from './snapshot.js';

const pageRows = 2000;

/** Copies of the SQLite database of a data folder, also beside a running service. */
export function sqliteSource(
  folder: Pick<DataFolder, 'dir' | 'databasePath' | 'backupStagingDir'>,
): SnapshotSource {
  const open = (path: string): Connection =>
    openConnection(path, { access: 'read', wal: false, busyTimeoutMs: 10_000 });
  return {
    async take() {
      if (!existsSync(folder.databasePath)) {
        throw new StorageError('access', `There is no database in ${folder.dir}; is LYNCEUS_DATA_DIR right?`);
      }
      const path = join(folder.backupStagingDir, 'lynceus.db');
      const live = openConnection(folder.databasePath, {
        access: 'write',
        wal: false,
        busyTimeoutMs: 10_000,
      });
      try {
        if (pendingMigrations(live).length > 0) throw olderThanCommand(folder.dir);
        copyDatabase(live, path);
      } finally {
        live.close();
      }
      const copy = open(path);
      const { rows: applied } = copy.run('select name from kysely_migration order by name', []);
      return {
        kind: 'sqlite',
        migrations: applied.map(({ name }) => String(name)),
        sizeBytes: (await stat(path)).size,
        rows: rowsOf(copy),
        read: () => createReadStream(path),
        close: async () => copy.close(),
      };
    },
    async now() {
      const live = open(folder.databasePath);
      return { rows: rowsOf(live), close: async () => live.close() };
    },
  };
}

function rowsOf(connection: Connection): NamedRows {
  return {
    async *inOrder(select) {
      for (let after = ''; ; ) {
        const { rows } = connection.run(
          `select * from (${select}) where id > ? order by id limit ${pageRows}`,
          [after],
        );
        const last = rows.at(-1);
        if (last === undefined) return;
        yield rows;
        after = String(last['id']);
      }
    },
  };
}

export function olderThanCommand(where: string): StorageError {
  return new StorageError(
    'locked',
    `The database of ${where} is older than this command. Start the service of this version, which upgrades it, or use the command of the version that runs.`,
  );
}
