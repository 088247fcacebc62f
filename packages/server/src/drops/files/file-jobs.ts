import type { Compilable } from 'kysely';
import type { Database } from '../../storage/database.js';
import type { DropRef, FileRow } from './file-rows.js';
import type { ReceiveDeps } from './receive-deps.js';

/** The work on one file; its subject is the file's id. */
export const dropFileKind = 'drop-file';

/** For the unit by which a file arrives; done where its bytes are. */
export function insertWork(
  { jobs, settleMs }: Pick<ReceiveDeps, 'jobs' | 'settleMs'>,
  { accountId }: DropRef,
  { id, folder_uid }: Pick<FileRow, 'id' | 'folder_uid'>,
): Compilable {
  const work = { kind: dropFileKind, subject: id, payload: null, delayMs: settleMs };
  return jobs.insert(accountId, { ...work, folderUid: folder_uid }).statement;
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
