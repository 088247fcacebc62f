import type { Database } from '../database.js';
import { StorageError } from '../storage-error.js';
import { type FolderState, folderState } from './folder-state.js';

/** A data folder of the installation, for its operator. */
export interface ListedFolder {
  readonly uid: string;
  readonly label: string;
  readonly state: FolderState;
  readonly generation: number;
  readonly joinedAt: number;
  readonly startedAt: number;
  readonly seenAt: number;
  readonly finding: string | null;
  readonly foundAt: number | null;
}

export async function listFolders(
  { query }: Pick<Database, 'query'>,
  nowMs: number,
): Promise<readonly ListedFolder[]> {
  const rows = await query.selectFrom('data_folder').selectAll().orderBy('joined_at').execute();
  return rows.map((row) => ({
    uid: row.uid,
    label: row.label,
    state: folderState(row, nowMs),
    generation: row.generation,
    joinedAt: row.joined_at,
    startedAt: row.started_at,
    seenAt: row.seen_at,
    finding: row.finding,
    foundAt: row.found_at,
  }));
}

/** From then on the folder is not missed, and no service starts on it. */
export async function retireFolder(database: Database, uid: string, nowMs: number): Promise<void> {
  const found = (await listFolders(database, nowMs)).find((folder) => folder.uid === uid);
  if (!found) {
    throw new StorageError(
      'value',
      `There is no data folder ${uid}; see: npm run -s lynceus -- folders list`,
    );
  }
  if (found.state === 'running') {
    throw new StorageError(
      'locked',
      `A service runs on ${found.label}. Stop it before its folder is retired.`,
    );
  }
  const { query } = database;
  await database.write([query.updateTable('data_folder').set({ retired_at: nowMs }).where('uid', '=', uid)]);
}
