import { resolve } from 'node:path';
import type { Command } from 'commander';
import { backupDatabase } from '../storage/backup-database.js';
import { restoreDatabase } from '../storage/restore.js';
import { type CommandContext, folderOf } from './context.js';

export function addBackupCommands(program: Command, context: CommandContext): void {
  program
    .command('backup')
    .description('copy the database to a new file, also while the service runs')
    .argument('[file]', 'where to; without it a new file in the folder backups of the data folder')
    .action((file: string | undefined) => {
      const target = file === undefined ? null : resolve(context.cwd, file);
      context.print(backupDatabase(folderOf(context), target, Date.now()));
    });

  program
    .command('restore')
    .description('put a backup in the place of the database; the service must be stopped')
    .argument('<file>', 'a file that backup, or an upgrade, made')
    .action(async (file: string) => {
      const { replacedPath } = await restoreDatabase(
        folderOf(context),
        resolve(context.cwd, file),
        Date.now(),
      );
      context.print(`Restored ${resolve(context.cwd, file)}.`);
      if (replacedPath) context.print(`The database that was there is now ${replacedPath}.`);
    });
}
