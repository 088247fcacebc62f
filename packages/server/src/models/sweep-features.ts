import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Database } from '../storage/database.js';

/** What features of an image are filed under: its SHA-256. */
const imagePattern = /^[0-9a-f]{64}$/;
const batchSize = 500;

/** Removes features of images that the dataset does not have any more; answers how many files. */
export async function sweepImageFeatures(
  { query }: Pick<Database, 'query'>,
  datasetUid: string,
  dir: string,
): Promise<number> {
  const namesOf = async (sha256s: readonly string[]): Promise<ReadonlySet<string>> => {
    const rows = await query
      .selectFrom('dataset_image')
      .innerJoin('dataset', (join) =>
        join
          .onRef('dataset.account_id', '=', 'dataset_image.account_id')
          .onRef('dataset.id', '=', 'dataset_image.dataset_id'),
      )
      .select('image_sha256 as sha256')
      .where('dataset.uid', '=', datasetUid)
      .where('image_sha256', 'in', sha256s)
      .execute();
    return new Set(rows.map(({ sha256 }) => sha256));
  };
  // Another sweep may remove the folder meanwhile.
  const found = await readdir(dir, { recursive: true }).catch(() => []);
  const paths = found.filter((path) => imagePattern.test(basename(path)));
  let swept = 0;
  for (let from = 0; from < paths.length; from += batchSize) {
    const batch = paths.slice(from, from + batchSize);
    const named = await namesOf([...new Set(batch.map((path) => basename(path)))]);
    for (const path of batch) {
      if (named.has(basename(path))) continue;
      await rm(join(dir, path), { force: true });
      swept += 1;
    }
  }
  return swept;
}
