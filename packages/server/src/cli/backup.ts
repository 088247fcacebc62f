import { resolve } from 'node:path';
import type { Command } from 'commander';
import { backupDatabase } from '../storage/backup-database.js';
import { type DataFolder, dataFolder } from '../storage/data-folder.js';
import { restoreDatabase } from '../storage/restore.js';
import { type CommandContext, settingsOf } from './context.js';

export function addBackupCommand(program: Command, context: CommandContext): void {
  program
    .command('backup')
    .description('copy the database to a new file, also while the service runs')
    .argument('[file]', 'where to; without it a new file in the folder backups of the data folder')
    .action((file: string | undefined) => {
      const target = file === undefined ? null : resolve(context.cwd, file);
      context.print(backupDatabase(sqliteFolder(context, 'pg_dump --format=custom'), target, Date.now()));
    });
}

export function addRestoreCommand(program: Command, context: CommandContext): void {
  program
    .command('restore')
    .description('put a backup in the place of the database; the service must be stopped')
    .argument('<file>', 'a file that backup, or an upgrade, made')
    .action(async (file: string) => {
      const { replacedPath } = await restoreDatabase(
        sqliteFolder(context, 'pg_restore --clean --if-exists, while no service runs'),
        resolve(context.cwd, file),
        Date.now(),
      );
      context.print(`Restored ${resolve(context.cwd, file)}.`);
      if (replacedPath) context.print(`The database that was there is now ${replacedPath}.`);
    });
}

/** The data folder, whose database these commands are for. PostgreSQL has tools of its own for it. */
function sqliteFolder(context: CommandContext, tool: string): DataFolder {
  const { settings } = settingsOf(context);
  if (settings.databaseUrl !== '') {
    throw new Error(`The database is in PostgreSQL (LYNCEUS_DATABASE_URL); use its own tool: ${tool}`);
  }
  return dataFolder(settings.dataDir);
}
