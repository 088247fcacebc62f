import type { Kysely } from 'kysely';
import type { DataFolder } from '../data-folder.js';
import type { Schema } from '../schema.js';
import { StorageError } from '../storage-error.js';
import { readFolderIdentity } from './folder-identity.js';
import { folderState } from './folder-state.js';

/** For commands: what an operator says who knows that the services of other folders have ended. */
export const othersStoppedFlag = '--others-stopped';

/**
 * Throws while a service runs on another data folder of the installation, as far as the database knows: one that was killed
 * counts as running for three hours.
 * @param what was not done
 */
export async function requireOthersStopped(
  { query }: { readonly query: Kysely<Schema> },
  folder: Pick<DataFolder, 'identityPath'>,
  nowMs: number,
  what: string,
): Promise<void> {
  const own = await readFolderIdentity(folder);
  const rows = await query.selectFrom('data_folder').selectAll().execute();
  const running = rows.filter((row) => row.uid !== own?.folder && folderState(row, nowMs) === 'running');
  if (running.length > 0) throw othersRun(running, what);
}

export function othersRun(
  running: readonly { readonly label: string; readonly seen_at: number }[],
  what: string,
): StorageError {
  const shown = running.map(({ label, seen_at }) => `${label} (seen ${new Date(seen_at).toISOString()})`);
  return new StorageError(
    'locked',
    `${what}: services run on other data folders of this installation: ${shown.join(', ')}. Stop them first. If they have ended and the database does not know it, as after a crash, add ${othersStoppedFlag}.`,
  );
}
