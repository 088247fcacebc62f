import type { Comparison } from './compare-files.js';
import type { DatabaseIdentity, FolderRow } from './database-identity.js';
import type { FolderIdentity } from './folder-identity.js';
import { agreeWholly, belongTogether, describeAgreement } from './match.js';

/** A data folder and a database as they were found, before anything is changed. */
export interface Halves {
  readonly folder: FolderIdentity | null;
  readonly database: DatabaseIdentity;
  /** In SQLite: the database lies in the folder, and no other folder belongs to it. */
  readonly isSqlite: boolean;
  /** Whether an operator said that this folder joins the installation. */
  readonly mayJoin: boolean;
  /** Whether one said so of a folder that was retired. A setting, which stays, does not. */
  readonly mayReturn: boolean;
  /** Host and path of the folder, as its row shows them. */
  readonly label: string;
  /** Reads all names of files: asked for where the ids do not decide. */
  compare(): Promise<Comparison>;
}

/** What to write so that both halves know of each other. */
export interface Pairing {
  readonly installation: string;
  readonly folder: string;
  /** Of both halves from then on. */
  readonly generation: number;
  /** What a comparison found that calls for an eye, while sweeps are suspended; null: nothing. */
  readonly finding: string | null;
}

export type RefusalReason =
  /** The folder is of an installation, the database is new. */
  | 'database-empty'
  /** The folder has files and no id, the database is new. */
  | 'files-without-database'
  /** Neither has an id, and files and rows do not match. */
  | 'no-match'
  /** The folder is of an installation; the database has no id, and other rows. */
  | 'database-unnamed'
  /** The database is of an installation, the folder has no id. */
  | 'folder-unnamed'
  /** The same, where folders may join. */
  | 'folder-not-joined'
  /** The folder has no id, and one that lay in its place is registered: its volume may not be mounted. */
  | 'folder-replaced'
  /** Both have an id, and not the same one. */
  | 'different'
  | 'retired';

export type Verdict =
  /** An id for both; those that the folder has from before a crash are kept. */
  | { readonly kind: 'create'; readonly kept: FolderIdentity | null; readonly finding: string | null }
  | { readonly kind: 'join'; readonly installation: string; readonly finding: string | null }
  | { readonly kind: 'go-on'; readonly known: FolderIdentity; readonly pairing: Pairing }
  | { readonly kind: 'refuse'; readonly reason: RefusalReason; readonly comparison: Comparison | null };

/** Decides by ids, and by files and rows where an id is missing, whether a service may start. */
export async function decidePair(halves: Halves): Promise<Verdict> {
  const { database } = halves;
  const folder = isKnown(halves) ? halves.folder : null;
  if (database.installation === null) {
    return folder === null ? decideUnnamed(halves) : decideDatabaseUnnamed(halves, folder);
  }
  if (folder === null) return decideFolderUnnamed(halves, database.installation);
  if (folder.installation !== database.installation) return refuse('different');
  const row = database.folders.find(({ uid }) => uid === folder.folder);
  if (row && row.retired_at !== null && !halves.mayReturn) return refuse('retired');
  const pairing = raise(folder, row);
  // After a crash the database may have the one or the other: from here on it is one of two again.
  const generation = pairing.finding === null && row ? row.generation : folder.generation;
  return { kind: 'go-on', known: { ...folder, generation }, pairing };
}

/** An id that no database was known to have counts only where the database has it. */
function isKnown({ folder, database }: Halves): boolean {
  if (folder === null || folder.generation > 0) return true;
  return (
    folder.installation === database.installation && database.folders.some(({ uid }) => uid === folder.folder)
  );
}

async function decideUnnamed({ folder, database, isSqlite, mayJoin, compare }: Halves): Promise<Verdict> {
  const comparison = await compare();
  if (!database.hasAccounts && comparison.files > 0) return refuse('files-without-database', comparison);
  // Its files may be in the folders of other services.
  const isJoining = !isSqlite && mayJoin && comparison.files === 0;
  if (!isJoining && !belongTogether(comparison, isSqlite)) return refuse('no-match', comparison);
  const finding = agreeWholly(comparison, isSqlite)
    ? null
    : `joined by its files and rows: ${describeAgreement(comparison)}`;
  return { kind: 'create', kept: folder, finding };
}

/** A backup of before there were ids, perhaps. */
async function decideDatabaseUnnamed(
  { database, isSqlite, compare }: Halves,
  folder: FolderIdentity,
): Promise<Verdict> {
  if (!database.hasAccounts) return refuse('database-empty', await compare());
  const comparison = await compare();
  const isNothingToLose = isSqlite && comparison.files === 0 && comparison.rows === 0;
  const matches = comparison.files > 0 && belongTogether(comparison, isSqlite);
  if (!matches && !isNothingToLose) return refuse('database-unnamed', comparison);
  const finding = `the database had no id, as before an upgrade: ${describeAgreement(comparison)}`;
  return { kind: 'create', kept: folder, finding };
}

async function decideFolderUnnamed(
  { database, isSqlite, mayJoin, label, compare }: Halves,
  installation: string,
): Promise<Verdict> {
  const comparison = await compare();
  if (isSqlite) return refuse('folder-unnamed', comparison);
  const mayEnter = comparison.files === 0 || belongTogether(comparison, false);
  if (!mayJoin || !mayEnter) return refuse('folder-not-joined', comparison);
  if (findReplaced(database, label)) return refuse('folder-replaced', comparison);
  const finding = agreeWholly(comparison, false)
    ? null
    : `joined with files that no row names: ${describeAgreement(comparison)}`;
  return { kind: 'join', installation, finding };
}

/** The registered folder that lay where another is now. */
export function findReplaced({ folders }: DatabaseIdentity, label: string): FolderRow | undefined {
  return folders.find((row) => row.label === label && row.retired_at === null);
}

/** Above both, so that a copy of either is recognised from now on. */
function raise(folder: FolderIdentity, row: FolderRow | undefined): Pairing {
  const { installation, generation, next = generation } = folder;
  return {
    installation,
    folder: folder.folder,
    generation: Math.max(generation, next, row?.generation ?? 0) + 1,
    finding: compareGenerations(folder, row),
  };
}

function compareGenerations(
  { generation, next }: FolderIdentity,
  row: Pick<FolderRow, 'generation'> | undefined,
): string | null {
  if (!row) return 'the database does not know this folder: it is an older copy, of before the folder joined';
  if (row.generation === generation || row.generation === next) return null;
  return row.generation < generation
    ? 'the database is older than the folder: it is a backup, or a copy, that was put back'
    : 'the folder is older than the database: it is a backup, or a copy, that was put back';
}

function refuse(reason: RefusalReason, comparison: Comparison | null = null): Verdict {
  return { kind: 'refuse', reason, comparison };
}
