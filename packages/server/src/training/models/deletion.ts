import type { Clock } from '../../core/clock.js';
import type { Database } from '../../storage/database.js';
import type { FeatureFolders } from './feature-folders.js';
import { modelJobKinds } from './job-kinds.js';
import { createModelRows } from './model-rows.js';
import type { VersionFiles } from './version-files.js';

/** What a deletion removed, for good. */
export interface ModelReceipt {
  readonly versions: number;
  /** Its jobs, ended or not. */
  readonly jobs: number;
  /** Of the versions' `model.onnx`. */
  readonly bytes: number;
}

interface ModelDeletionDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly files: Pick<VersionFiles, 'remove'>;
  readonly features: Pick<FeatureFolders, 'sweep'>;
}

export function createModelDeletion({ database, clock, files, features }: ModelDeletionDeps) {
  const { query } = database;

  const models = createModelRows({ database, clock });

  /** The model is hidden, so its files go first: a crash in between leaves no folder without a row. */
  const deleteModel = async ({
    account_id: accountId,
    id,
  }: {
    account_id: number;
    id: number;
  }): Promise<ModelReceipt> => {
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
      // A running job ends because its lease is gone.
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
    /** Hidden at once; a deletion that is interrupted is completed by `finish`. */
    removeModel: (accountId: number, id: number): Promise<ModelReceipt> =>
      models.remove(accountId, id, deleteModel),
    /** Completes deletions that were interrupted; returns how many. */
    finish: (hiddenForMs?: number): Promise<number> =>
      models.finishRemovals(
        deleteModel,
        hiddenForMs === undefined ? undefined : { hiddenBefore: clock() - hiddenForMs },
      ),
  };
}
