import type { Command } from 'commander';
import type { Database } from '../storage/database.js';
import { readFolderIdentity } from '../storage/identity/folder-identity.js';
import { type ListedFolder, listFolders, retireFolder } from '../storage/identity/list-folders.js';
import { openCommandStorage, openServiceStorage } from '../storage/open-storage.js';
import { type CommandContext, folderOf, settingsOf } from './context.js';
import { toPrintable } from './printable.js';
import { formatTable, formatTime } from './table.js';

/** `folders …`: the data folders of the services on one database. */
export function addFoldersCommand(program: Command, context: CommandContext): void {
  const folders = program.command('folders').description('data folders that belong to the database');

  folders
    .command('list')
    .description('list them with their states: running, missing, findings at their starts')
    .option('--json', 'answer a list of objects; times are milliseconds since 1970')
    .action(async ({ json }: { readonly json?: boolean }) => {
      const list = await withDatabase(context, (database) => listFolders(database, Date.now()));
      context.print(json ? JSON.stringify(list) : formatFolders(list));
    });

  folders
    .command('join')
    .description(
      'register the data folder of these settings with the PostgreSQL database, for one more service',
    )
    .action(async () => {
      const { settings } = settingsOf(context);
      if (settings.databaseUrl === '') {
        throw new Error(
          'A SQLite database belongs to the one data folder that contains it. For several folders set LYNCEUS_DATABASE_URL.',
        );
      }
      const storage = await openServiceStorage(folderOf(context), {
        ...settings,
        joinInstallation: true,
        returnRetired: true,
      });
      await storage.close();
      context.print(`${folderOf(context).dir} belongs to the database, as ${storage.pair.folder}.`);
    });

  folders
    .command('retire')
    .description('retire a data folder that no longer exists: it is no longer reported as missing')
    .argument('<id>', 'as folders list shows it')
    .action(async (uid: string) => {
      const own = await readFolderIdentity(folderOf(context));
      if (settingsOf(context).settings.databaseUrl === '' && own?.folder === uid) {
        throw new Error(`${uid} contains the SQLite database and cannot be retired. Nothing was changed.`);
      }
      await withDatabase(context, (database) => retireFolder(database, uid, Date.now()));
      context.print(`${toPrintable(uid)} is retired`);
    });
}

async function withDatabase<T>(
  context: CommandContext,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const storage = await openCommandStorage(folderOf(context), settingsOf(context).settings);
  try {
    return await work(storage.database);
  } finally {
    await storage.close();
  }
}

function formatFolders(list: readonly ListedFolder[]): string {
  const rows = list.map((folder) => [
    folder.uid,
    toPrintable(folder.label),
    folder.state,
    formatTime(folder.startedAt),
    formatTime(folder.seenAt),
    folder.finding === null ? '' : `${formatTime(folder.foundAt)}: ${folder.finding}`,
  ]);
  return formatTable(['ID', 'FOLDER', 'STATE', 'STARTED', 'SEEN', 'FOUND'], rows);
}
