import type { DataFolder } from '../data-folder.js';
import { StorageError } from '../storage-error.js';
import type { Halves, RefusalReason, Verdict } from './decide-pair.js';
import { tellAgreement } from './match.js';

const command = 'npm run -s lynceus --';

/** What was found where, that nothing was changed, and the ways out. */
export function explainRefusal(
  folder: Pick<DataFolder, 'dir' | 'identityPath'>,
  halves: Pick<Halves, 'folder' | 'database' | 'isSqlite'>,
  databaseShown: string,
  { reason, comparison }: Extract<Verdict, { readonly kind: 'refuse' }>,
): StorageError {
  const { dir, identityPath } = folder;
  const own = halves.folder;
  const folderIs = own ? `is of the installation ${own.installation} (${identityPath})` : 'has no id';
  const { installation, hasAccounts } = halves.database;
  const databaseIs = installation
    ? `is of the installation ${installation}`
    : hasAccounts
      ? 'has no id'
      : 'is missing or empty';
  const counts = comparison ? ` By their names, ${tellAgreement(comparison)}.` : '';
  const ways = waysOut(reason, dir, halves.isSqlite).map((way) => `\n- ${way}`);
  return new StorageError(
    'mismatch',
    `The data folder and the database do not belong together. The folder ${dir} ${folderIs}; ` +
      `the database ${databaseShown} ${databaseIs}.${counts} Nothing was created, changed or deleted. ` +
      `To go on:${ways.join('')}`,
  );
}

function waysOut(reason: RefusalReason, dir: string, isSqlite: boolean): readonly string[] {
  const rightAddress = isSqlite
    ? 'If the database is in PostgreSQL, set LYNCEUS_DATABASE_URL.'
    : 'Correct LYNCEUS_DATABASE_URL; without it, the database is lynceus.db in the data folder.';
  const rightFolder = 'Correct LYNCEUS_DATA_DIR.';
  const adopt = `If they do belong together, look at what ${command} adopt says, and confirm it with --yes.`;
  const putBack = isSqlite
    ? `Put the database back as ${dir}/lynceus.db, or restore a backup: ${command} restore FILE`
    : 'Put the database back with pg_restore.';
  const join = `If this folder is for one more service on that database: ${command} folders join, or LYNCEUS_JOIN_INSTALLATION=true.`;
  switch (reason) {
    case 'database-empty':
    case 'files-without-database':
      return [rightAddress, putBack, `${rightFolder} An empty folder begins a new installation.`];
    case 'folder-not-joined':
      return [rightFolder, rightAddress, join, adopt];
    case 'no-match':
      return isSqlite ? [rightFolder, putBack, adopt] : [rightFolder, rightAddress, join, adopt];
    case 'folder-unnamed':
      return [rightFolder, 'Put installation.json back from a copy of the data folder.', adopt];
    case 'retired':
      return [rightFolder, `The folder was retired. To use it again: ${command} folders join`];
    case 'database-unnamed':
    case 'different':
      return [rightFolder, rightAddress, putBack, adopt];
  }
}
