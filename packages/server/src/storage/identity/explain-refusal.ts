import type { DataFolder } from '../data-folder.js';
import { StorageError } from '../storage-error.js';
import { findReplaced, type Halves, type RefusalReason, type Verdict } from './decide-pair.js';
import { describeAgreement } from './match.js';

const command = 'npm run -s lynceus --';
const join = `If this folder is for one more service on that database: ${command} folders join, or LYNCEUS_JOIN_INSTALLATION=true.`;
/** Of folders that are listed, as host and path. */
const maxLabels = 5;

/** What was found where, that nothing was changed, and the ways out. */
export function explainRefusal(
  folder: Pick<DataFolder, 'dir' | 'identityPath'>,
  halves: Pick<Halves, 'folder' | 'database' | 'isSqlite' | 'label'>,
  databaseShown: string,
  { reason, comparison }: Extract<Verdict, { readonly kind: 'refuse' }>,
): StorageError {
  const { dir, identityPath } = folder;
  if (reason === 'folder-not-joined' && comparison?.files === 0)
    return neverRegistered(dir, halves, databaseShown);
  const own = halves.folder;
  const folderIs = own ? `is of the installation ${own.installation} (${identityPath})` : 'has no id';
  const { installation, hasAccounts } = halves.database;
  const databaseIs = installation
    ? `is of the installation ${installation}`
    : hasAccounts
      ? 'has no id'
      : 'is missing or empty';
  const counts = comparison ? ` By their names, ${describeAgreement(comparison)}.` : '';
  const replaced = findReplaced(halves.database, halves.label)?.uid ?? '';
  const ways = waysOut(reason, { dir, isSqlite: halves.isSqlite, replaced }).map((way) => `\n- ${way}`);
  return new StorageError(
    'mismatch',
    `The data folder and the database do not belong together. The folder ${dir} ${folderIs}; ` +
      `the database ${databaseShown} ${databaseIs}.${counts} Nothing was created, changed or deleted. ` +
      `To continue:${ways.join('')}`,
  );
}

/** Of an empty folder there is nothing to compare: it is new, or not the one that was meant. */
function neverRegistered(
  dir: string,
  { database: { installation, folders } }: Pick<Halves, 'database'>,
  databaseShown: string,
): StorageError {
  const labels = folders.filter((row) => row.retired_at === null).map(({ label }) => label);
  const shown = labels.slice(0, maxLabels).join(', ');
  const more =
    labels.length > maxLabels ? ` and ${labels.length - maxLabels} more (${command} folders list)` : '';
  return new StorageError(
    'mismatch',
    `The data folder ${dir} was never registered: it has no id and no files, so no service has started on it. ` +
      `The database ${databaseShown} is of the installation ${installation}. Nothing was created, changed or deleted. To continue:` +
      `\n- Set LYNCEUS_DATA_DIR to the folder of a service of that installation${shown === '' ? '' : `: ${shown}${more}`}.` +
      '\n- If another database was meant, correct LYNCEUS_DATABASE_URL.' +
      `\n- ${join}`,
  );
}

function waysOut(
  reason: RefusalReason,
  {
    dir,
    isSqlite,
    replaced,
  }: { readonly dir: string; readonly isSqlite: boolean; readonly replaced: string },
): readonly string[] {
  const rightAddress = isSqlite
    ? 'If the database is in PostgreSQL, set LYNCEUS_DATABASE_URL.'
    : 'Correct LYNCEUS_DATABASE_URL; without it, the database is lynceus.db in the data folder.';
  const rightFolder = 'Correct LYNCEUS_DATA_DIR.';
  const adopt = `If they do belong together, look at what ${command} adopt says, and confirm it with --yes.`;
  const putBack = isSqlite
    ? `Put the database back as ${dir}/lynceus.db, or restore a backup: ${command} restore FILE`
    : 'Put the database back with pg_restore.';
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
      return [
        rightFolder,
        isSqlite
          ? `The folder was retired, since its database was adopted by another folder. To use it with this database again, look at what ${command} adopt says, and confirm it with --yes.`
          : `The folder was retired. To use it again: ${command} folders join (the setting joinInstallation does not do that).`,
      ];
    case 'folder-replaced':
      return [
        `The folder ${replaced} of this installation lay in the same place (${command} folders list): mount its volume, or bring its files back.`,
        `If its files are gone for good: ${command} folders retire ${replaced}, then ${command} folders join.`,
        `If this is another machine of the same name: ${command} adopt --yes.`,
        rightFolder,
      ];
    case 'database-unnamed':
    case 'different':
      return [rightFolder, rightAddress, putBack, adopt];
  }
}
