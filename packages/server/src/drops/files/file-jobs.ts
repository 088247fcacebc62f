import type { Compilable } from 'kysely';
import { isRawName } from '../../storage/archive/image-name.js';
import type { Database } from '../../storage/database.js';
import { isSidecarName } from '../keywords/sidecar-name.js';
import type { DropRef, FileRow } from './file-rows.js';
import type { ReceiveDeps } from './receive-deps.js';

/** The work on one file; its subject is the file's id. */
export const dropFileKind = 'drop-file';

/** For the unit by which a file arrives under its name; done where its bytes are. */
export function insertWork(
  { jobs, settleMs }: Pick<ReceiveDeps, 'jobs' | 'settleMs'>,
  { accountId }: DropRef,
  { id, name, folder_uid }: Pick<FileRow, 'id' | 'name' | 'folder_uid'>,
): Compilable {
  const delayMs = settleMs * settlingTimes(name);
  const work = { kind: dropFileKind, subject: id, payload: null, delayMs };
  return jobs.insert(accountId, { ...work, folderUid: folder_uid }).statement;
}

/**
 * How many times the usual time to settle a file has. A raw file's sidecar often comes right behind it, and makes one delivery with it; a
 * sidecar that came first waits longer, since its image is large.
 */
function settlingTimes(name: string): number {
  if (isSidecarName(name)) return 120;
  return isRawName(name) ? 5 : 1;
}

/** For the unit in which a file that may have arrived was taken back; work that is under way finds it changed. */
export function removeWork(
  { query }: Pick<Database, 'query'>,
  { accountId }: DropRef,
  fileId: string,
): Compilable {
  return query
    .deleteFrom('job')
    .where('account_id', '=', accountId)
    .where('kind', '=', dropFileKind)
    .where('subject', '=', fileId)
    .where(({ not, exists }) =>
      not(
        exists(
          query
            .selectFrom('drop_file')
            .select('id')
            .where('id', '=', fileId)
            .where('state', 'in', ['arrived', 'predicted', 'written']),
        ),
      ),
    );
}
