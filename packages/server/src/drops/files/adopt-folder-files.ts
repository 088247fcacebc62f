import { readdir } from 'node:fs/promises';
import type { Database } from '../../storage/database.js';
import { ifMissing } from '../../storage/missing-file.js';
import { StorageError } from '../../storage/storage-error.js';
import type { FileBytes } from './file-bytes.js';
import { dropFileKind } from './file-jobs.js';
import { type FolderFileBytes, openFolderFileBytes } from './folder-file-bytes.js';
import { sweptDropBytes } from './swept-bytes.js';

interface AdoptDeps {
  readonly database: Database;
  /** In the bucket. */
  readonly bytes: Pick<FileBytes, 'put'>;
  /** Where files of drops lie from before this service had a bucket. */
  readonly dropsDir: string;
  /** Of the data folder; null where it has none. */
  readonly folderUid: string | null;
}

export interface Adopted {
  readonly files: number;
  /** Their bytes stay in the folder, with why they could not be read; the next start tries again. */
  readonly failed: readonly { readonly id: string; readonly error: unknown }[];
}

/** Rows that are looked for at once. */
const batchSize = 300;

/**
 * Moves files of drops from the data folder into the bucket, before anybody works on them. What a killed service was moving is in
 * both, and only then: a file in the bucket is never replaced. What no row names stays where it is.
 */
export async function adoptFolderFiles({
  database,
  bytes,
  dropsDir,
  folderUid,
}: AdoptDeps): Promise<Adopted> {
  if ((await readdir(dropsDir).catch(ifMissing([]))).length === 0) return { files: 0, failed: [] };
  const folder = await openFolderFileBytes(dropsDir, { reserveBytes: 0 });
  let files = 0;
  const failed: { id: string; error: unknown }[] = [];
  for await (const ids of neededIn(database, folder)) {
    const moved = await idsWithChunks(database, ids);
    for (const id of ids) {
      try {
        if (!moved.has(id)) await move(id, folder, bytes);
        await folder.remove(id);
        files += 1;
      } catch (error) {
        // Of the bucket or the database: the others would fail too.
        if (error instanceof StorageError) throw error;
        failed.push({ id, error });
      }
    }
  }
  if (failed.length === 0 && folderUid !== null) await releaseFiles(database, folderUid);
  return { files, failed };
}

async function move(id: string, folder: FolderFileBytes, bytes: Pick<FileBytes, 'put'>): Promise<void> {
  const content = await folder.read(id, 0);
  if (content === null) throw new Error('a link is at the path of this file: remove it');
  await bytes.put(id, content, []);
}

/** Ids of bytes that a file needs, in batches. */
async function* neededIn(database: Database, folder: FolderFileBytes): AsyncIterable<readonly string[]> {
  const { findNamed } = sweptDropBytes(database, folder);
  let some: string[] = [];
  const take = async () => {
    const needed = some.length === 0 ? new Set<string>() : await findNamed(some);
    const ids = some.filter((id) => needed.has(id));
    some = [];
    return ids;
  };
  for await (const { id } of folder.list()) {
    if (some.push(id) === batchSize) yield await take();
  }
  yield await take();
}

async function idsWithChunks({ query }: Database, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await query
    .selectFrom('drop_file_chunk')
    .select('bytes_id')
    .distinct()
    .where('bytes_id', 'in', ids)
    .execute();
  return new Set(rows.map(({ bytes_id }) => bytes_id));
}

/** From now on every service can go on with them. */
async function releaseFiles({ query, write }: Database, folderUid: string): Promise<void> {
  await write([
    query.updateTable('drop_file').set({ folder_uid: null }).where('folder_uid', '=', folderUid),
    query
      .updateTable('job')
      .set({ folder_uid: null })
      .where('kind', '=', dropFileKind)
      .where('folder_uid', '=', folderUid),
  ]);
}
