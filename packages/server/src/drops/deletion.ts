import type { Selectable } from 'kysely';
import type { OwnKeys } from '../accounts/own-keys.js';
import type { Clock } from '../core/clock.js';
import type { Database } from '../storage/database.js';
import type { Schema } from '../storage/schema.js';
import { createDropRows } from './drop-rows.js';
import type { FileBytes } from './files/file-bytes.js';
import { dropFileKind } from './files/file-jobs.js';
import { fileOfPart, removeParts } from './files/file-parts.js';

/** What a deletion removed, for good. */
export interface DropReceipt {
  readonly files: number;
  readonly folders: number;
  readonly bytes: number;
}

export type DropDeletion = ReturnType<typeof createDropDeletion>;

interface DropDeletionDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly ownKeys: Pick<OwnKeys, 'revoke'>;
  readonly bytes: Pick<FileBytes, 'remove'>;
}

/** Files in one unit, so that it does not hold up other writers. */
const batchSize = 300;

export function createDropDeletion({ database, clock, ownKeys, bytes }: DropDeletionDeps) {
  const { query } = database;

  const drops = createDropRows({ database, clock });

  /** The drop is hidden, so its files go first: a crash in between leaves no file without a row. */
  const deleteDrop = async (drop: Selectable<Schema['drop_box']>): Promise<DropReceipt> => {
    const { account_id: accountId, id } = drop;
    let [files, size] = [0, 0];
    await ownKeys.revoke(accountId, drop.key_id, { force: true });
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
        // A running job ends because its lease is gone.
        query
          .deleteFrom('job')
          .where('account_id', '=', accountId)
          .where('kind', '=', dropFileKind)
          .where('subject', 'in', ids),
        query.deleteFrom('drop_event').where('file_id', 'in', ids),
        query.deleteFrom('drop_file').where('id', 'in', ids),
      ]);
      // A running job may have written more of it.
      for (const each of ids) await removeParts(bytes, each);
      files += ids.filter((each) => fileOfPart(each) === each).length;
      size += rows.reduce((sum, row) => sum + row.size_bytes, 0);
    }
    const [folders] = await database.write([
      query.deleteFrom('drop_folder').where('account_id', '=', accountId).where('drop_id', '=', id),
      query.deleteFrom('drop_box').where('account_id', '=', accountId).where('id', '=', id),
    ]);
    return { files, folders: folders?.changes ?? 0, bytes: size };
  };

  return {
    /** Hidden and closed to logins at once; a deletion that is interrupted is completed by `finish`. */
    removeDrop: (accountId: number, id: number): Promise<DropReceipt> =>
      drops.remove(accountId, id, deleteDrop),
    /** Completes deletions that were interrupted; returns how many. */
    finish: (): Promise<number> => drops.finishRemovals(deleteDrop),
  };
}
