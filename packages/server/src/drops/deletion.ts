import type { OwnKeys } from '../accounts/own-keys.js';
import type { Clock } from '../core/clock.js';
import type { Database } from '../storage/database.js';
import { noDrop } from './drop-rows.js';
import type { FileBytes } from './files/file-bytes.js';
import { removeParts } from './files/file-parts.js';
import { dropFileKind } from './files/receive-file.js';

/** What a deletion removed, for good. */
export interface DropReceipt {
  readonly files: number;
  readonly folders: number;
  readonly bytes: number;
}

export interface DropDeletion {
  /** Nobody sees it or logs in from the first moment on; one that was cut short is ended by `finish`. */
  removeDrop(accountId: number, id: number): Promise<DropReceipt>;
  /** Ends deletions that a killed service left half done; answers how many. */
  finish(): Promise<number>;
}

export interface DropDeletionDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly ownKeys: Pick<OwnKeys, 'revoke'>;
  readonly bytes: Pick<FileBytes, 'remove'>;
}

/** Files in one unit, so that it holds no other writer up. */
const batchSize = 300;

export function createDropDeletion({ database, clock, ownKeys, bytes }: DropDeletionDeps): DropDeletion {
  const { query } = database;

  /** Nobody sees it, so the files may go first: a service killed in between leaves none that no row names. */
  const empty = async (accountId: number, id: number, keyId: number): Promise<DropReceipt> => {
    let [files, size] = [0, 0];
    await ownKeys.revoke(accountId, keyId, { force: true });
    for (;;) {
      const rows = await query
        .selectFrom('drop_file')
        .select(['id', 'size_bytes'])
        .where('account_id', '=', accountId)
        .where('drop_id', '=', id)
        .limit(batchSize)
        .execute();
      if (rows.length === 0) break;
      const ids = rows.map((row) => row.id);
      for (const each of ids) await removeParts(bytes, each);
      await database.write([
        // Whoever does such a job finds its lease gone.
        query
          .deleteFrom('job')
          .where('account_id', '=', accountId)
          .where('kind', '=', dropFileKind)
          .where('subject', 'in', ids),
        query.deleteFrom('drop_event').where('file_id', 'in', ids),
        query.deleteFrom('drop_file').where('id', 'in', ids),
      ]);
      // Whoever worked on one may have written more of it.
      for (const each of ids) await removeParts(bytes, each);
      files += rows.length;
      size += rows.reduce((sum, row) => sum + row.size_bytes, 0);
    }
    const [folders] = await database.write([
      query.deleteFrom('drop_folder').where('account_id', '=', accountId).where('drop_id', '=', id),
      query.deleteFrom('drop_box').where('account_id', '=', accountId).where('id', '=', id),
    ]);
    return { files, folders: folders?.changes ?? 0, bytes: size };
  };

  return {
    async removeDrop(accountId, id) {
      const [marked] = await database.write([
        query
          .updateTable('drop_box')
          .set({ deleted_at: clock() })
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .where('deleted_at', 'is', null)
          .returning('key_id'),
      ]);
      const keyId = marked?.rows[0]?.['key_id'];
      if (keyId === undefined) throw noDrop(id);
      return empty(accountId, id, Number(keyId));
    },

    async finish() {
      const rows = await query
        .selectFrom('drop_box')
        .select(['account_id', 'id', 'key_id'])
        .where('deleted_at', 'is not', null)
        .execute();
      for (const row of rows) await empty(row.account_id, row.id, row.key_id);
      return rows.length;
    },
  };
}
