import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../storage/database.js';
import { trainModelKind } from './job-kinds.js';
import { sweepPictureFeatures } from './sweep-features.js';

/** Features of pictures, kept from training to training: a folder a dataset, which each training on it reuses. */
export interface FeatureFolders {
  /** @param datasetUid of the dataset that is trained on; the training makes the folder */
  folder(datasetUid: string): string;
  /**
   * Removes the folders of datasets that are gone, or that no model was trained on; those of an account that is training
   * stay. Answers how many were removed.
   */
  sweep(): Promise<number>;
  /** Removes those of pictures that their dataset does not have any more; answers how many. */
  sweepPictures(): Promise<number>;
}

/** Where a training writes what it then renames. */
const writing = 'writing';

/** What a killed training left half-written is removed, unless it is opened beside a service that may be training. */
export async function openFeatureFolders(
  database: Pick<Database, 'query'>,
  dir: string,
  { isBeside = false } = {},
): Promise<FeatureFolders> {
  const { query } = database;
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const folders = isBeside ? [] : await readdir(dir);
  for (const name of folders) await rm(join(dir, name, writing), { recursive: true, force: true });

  const isNeeded = async (datasetUid: string): Promise<boolean> => {
    const dataset = await query
      .selectFrom('dataset')
      .select(['account_id', 'id'])
      .where('uid', '=', datasetUid)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (!dataset) return false;
    const { account_id: accountId, id } = dataset;
    const model = await query
      .selectFrom('model')
      .select('id')
      .where('account_id', '=', accountId)
      .where('dataset_id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (model) return true;
    const job = await query
      .selectFrom('job')
      .select('id')
      .where('account_id', '=', accountId)
      .where('kind', '=', trainModelKind)
      .where('ended_at', 'is', null)
      .executeTakeFirst();
    return job !== undefined;
  };

  return {
    folder: (datasetUid) => join(dir, datasetUid),
    async sweep() {
      let swept = 0;
      for (const name of await readdir(dir)) {
        if (await isNeeded(name)) continue;
        await rm(join(dir, name), { recursive: true, force: true });
        swept += 1;
      }
      return swept;
    },
    async sweepPictures() {
      let swept = 0;
      for (const name of await readdir(dir))
        swept += await sweepPictureFeatures(database, name, join(dir, name));
      return swept;
    },
  };
}
