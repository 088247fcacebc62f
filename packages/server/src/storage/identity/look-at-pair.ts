import type { Kysely } from 'kysely';
import type { DataFolder } from '../data-folder.js';
import type { Schema } from '../schema.js';
import { type Comparison, compareFiles, hasFiles } from './compare-files.js';
import { labelOf, readDatabaseIdentity } from './database-identity.js';
import { decidePair, type Halves, type Verdict } from './decide-pair.js';
import { explainRefusal } from './explain-refusal.js';
import { readFolderIdentity } from './folder-identity.js';

/**
 * Reads a database as it is, without making or changing anything.
 * @param work gets null where there is no database yet, and the names of the migrations that it has
 */
export type LookAtDatabase = <T>(
  work: (query: Kysely<Schema> | null, applied: ReadonlySet<string>) => Promise<T>,
) => Promise<T>;

/** A database that is reached, and how errors call it. */
export interface DatabaseLocation {
  readonly isSqlite: boolean;
  readonly shown: string;
  readonly look: LookAtDatabase;
}

export interface PairOptions {
  /** Whether this folder may join an installation on PostgreSQL. */
  readonly mayJoin: boolean;
  /** Whether it may where it was retired. */
  readonly mayReturn: boolean;
}

/** Both halves of a pair, for the time of some work. */
export function readHalves<T>(
  folder: DataFolder,
  { isSqlite, look }: Pick<DatabaseLocation, 'isSqlite' | 'look'>,
  { mayJoin, mayReturn }: PairOptions,
  work: (halves: Halves) => Promise<T>,
): Promise<T> {
  return look(async (query, applied) => {
    let compared: Promise<Comparison> | undefined;
    return work({
      folder: await readFolderIdentity(folder),
      database: await readDatabaseIdentity(query, applied),
      isSqlite,
      mayJoin,
      mayReturn,
      label: labelOf(folder),
      compare: () => {
        compared ??= compareFiles(query, applied, folder);
        return compared;
      },
    });
  });
}

/** What is to be done so that a service can run on the pair. Throws, with the ways out, where it must not. */
export function requirePair(
  folder: DataFolder,
  location: DatabaseLocation,
  options: PairOptions,
): Promise<Exclude<Verdict, { readonly kind: 'refuse' }>> {
  return readHalves(folder, location, options, async (halves) => {
    const verdict = await decidePair(halves);
    if (verdict.kind === 'refuse') throw explainRefusal(folder, halves, location.shown, verdict);
    return verdict;
  });
}

/**
 * The same for a command, which writes no ids. On PostgreSQL, one that needs no files may run from anywhere: a folder
 * without an id and without files has nothing that could belong to another database.
 */
export async function requirePairForCommand(
  folder: DataFolder,
  location: DatabaseLocation,
  { usesFiles }: { readonly usesFiles: boolean },
): Promise<void> {
  if (!location.isSqlite && !usesFiles) {
    const isUnclaimed = (await readFolderIdentity(folder)) === null && !(await hasFiles(folder));
    if (isUnclaimed) return;
  }
  await requirePair(folder, location, { mayJoin: false, mayReturn: false });
}
