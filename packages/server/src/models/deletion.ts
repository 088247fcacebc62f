import type { Clock } from '../core/clock.js';
import type { Database } from '../storage/database.js';
import type { FeatureFolders } from './feature-folders.js';
import { modelJobKinds } from './job-kinds.js';
import { noModel } from './model-rows.js';
import type { VersionFiles } from './version-files.js';

/** What a deletion removed, for good. */
export interface ModelReceipt {
  readonly versions: number;
  /** Work on it, ended or not. */
  readonly jobs: number;
  /** Of the versions' `model.onnx`. */
  readonly bytes: number;
}

export interface ModelDeletion {
  /** Nobody sees it from the first moment on; one that was cut short is ended by `finish`. */
  removeModel(accountId: number, id: number): Promise<ModelReceipt>;
  /** Ends deletions that a killed service left half done; answers how many. */
  finish(): Promise<number>;
}

export interface ModelDeletionDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly files: Pick<VersionFiles, 'remove'>;
  readonly features: Pick<FeatureFolders, 'sweep'>;
}

export function createModelDeletion({ database, clock, files, features }: ModelDeletionDeps): ModelDeletion {
  const { query } = database;

  /** Nobody sees it, so the files may go first: a service killed in between leaves no folder that no row names. */
  const empty = async (accountId: number, id: number): Promise<ModelReceipt> => {
    const found = await query
      .selectFrom('model_version')
      .select('uid')
      .where('account_id', '=', accountId)
      .where('model_id', '=', id)
      .execute();
    for (const { uid } of found) await files.remove(uid);
    const [versions, jobs] = await database.write([
      query
        .deleteFrom('model_version')
        .where('account_id', '=', accountId)
        .where('model_id', '=', id)
        .returning(['uid', 'bytes']),
      // Whoever does such a job finds its lease gone.
      query
        .deleteFrom('job')
        .where('account_id', '=', accountId)
        .where('kind', 'in', modelJobKinds)
        .where('subject', '=', String(id)),
      query.deleteFrom('model').where('account_id', '=', accountId).where('id', '=', id),
    ]);
    const rows = versions?.rows ?? [];
    for (const row of rows) await files.remove(String(row['uid']));
    await features.sweep();
    return {
      versions: rows.length,
      jobs: jobs?.changes ?? 0,
      bytes: rows.reduce((sum, row) => sum + Number(row['bytes']), 0),
    };
  };

  return {
    async removeModel(accountId, id) {
      const [marked] = await database.write([
        query
          .updateTable('model')
          .set({ deleted_at: clock() })
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .where('deleted_at', 'is', null),
      ]);
      if (marked?.changes !== 1) throw noModel(id);
      return empty(accountId, id);
    },

    async finish() {
      const rows = await query
        .selectFrom('model')
        .select(['account_id as accountId', 'id'])
        .where('deleted_at', 'is not', null)
        .execute();
      for (const { accountId, id } of rows) await empty(accountId, id);
      return rows.length;
    },
  };
}
