import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Value } from 'typebox/value';
import type { Database } from '../../storage/database.js';
import { folderBytes } from '../../storage/folder-bytes.js';
import { trainModelKind } from './job-kinds.js';
import { TrainingRequest } from './training/training-request.js';

/** What features of an image are filed under: its SHA-256. */
const imagePattern = /^[0-9a-f]{64}$/;

const batchSize = 500;

/** Features of images, kept from training to training: a folder a dataset, which each training on it reuses. */
export type FeatureFolders = Awaited<ReturnType<typeof openFeatureFolders>>;

/** Where a training writes what it then renames. */
const writing = 'writing';

/** What a killed training left half-written is removed, unless it is opened beside a service that may be training. */
export async function openFeatureFolders(
  database: Pick<Database, 'query'>,
  dir: string,
  {
    maxBytes,
    mayServiceBeRunning = false,
  }: { readonly maxBytes: number; readonly mayServiceBeRunning?: boolean },
) {
  const { query } = database;
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const folders = mayServiceBeRunning ? [] : await readdir(dir);
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

  /** UIDs of datasets that are being trained on. */
  const readInUse = async (): Promise<ReadonlySet<string>> => {
    const running = await query
      .selectFrom('job')
      .select(['account_id as accountId', 'payload'])
      .where('kind', '=', trainModelKind)
      .where('state', '=', 'running')
      .execute();
    const uids = new Set<string>();
    for (const { accountId, payload } of running) {
      const wanted: unknown = JSON.parse(payload);
      if (!Value.Check(TrainingRequest, wanted)) continue;
      const dataset = await query
        .selectFrom('dataset')
        .select('uid')
        .where('account_id', '=', accountId)
        .where('id', '=', wanted.datasetId)
        .executeTakeFirst();
      if (dataset) uids.add(dataset.uid);
    }
    return uids;
  };

  return {
    folder: (datasetUid: string): string => join(dir, datasetUid),
    /** UIDs of datasets of which something is kept. */
    list: (): Promise<readonly string[]> => readdir(dir),
    /** Removes what is kept of a dataset. */
    remove: (datasetUid: string) => rm(join(dir, datasetUid), { recursive: true, force: true }),
    /** What is kept of a dataset. */
    bytes: (datasetUid: string): Promise<number> => folderBytes(join(dir, datasetUid)),
    /** The folder of a dataset that is about to be trained on; it is there, and the one used last. */
    async use(datasetUid: string): Promise<string> {
      const folder = join(dir, datasetUid);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const now = new Date();
      await utimes(folder, now, now);
      return folder;
    },
    /** Removes those unused longest until all have their bytes together; never those of a running training. Answers how many. */
    async trim(): Promise<number> {
      if (maxBytes === 0) return 0;
      const folders: { name: string; usedMs: number; bytes: number }[] = [];
      for (const name of await readdir(dir)) {
        const found = await stat(join(dir, name)).catch(() => undefined);
        if (found) folders.push({ name, usedMs: found.mtimeMs, bytes: await folderBytes(join(dir, name)) });
      }
      let kept = folders.reduce((sum, { bytes }) => sum + bytes, 0);
      let trimmed = 0;
      for (const { name, bytes } of folders.sort((a, b) => a.usedMs - b.usedMs)) {
        if (kept <= maxBytes) break;
        // Read again each time: a training may have started since.
        if ((await readInUse()).has(name)) continue;
        await rm(join(dir, name), { recursive: true, force: true });
        kept -= bytes;
        trimmed += 1;
      }
      return trimmed;
    },
    /**
     * Removes the folders of datasets that are gone, or that no model was trained on; those of an account that is training
     * stay. Answers how many were removed.
     */
    async sweep(): Promise<number> {
      let swept = 0;
      for (const name of await readdir(dir)) {
        if (await isNeeded(name)) continue;
        await rm(join(dir, name), { recursive: true, force: true });
        swept += 1;
      }
      return swept;
    },
    /** Removes those of images that their dataset does not have any more; answers how many. */
    async sweepImages(): Promise<number> {
      let swept = 0;
      for (const name of await readdir(dir))
        swept += await sweepImageFeatures(database, name, join(dir, name));
      return swept;
    },
  };
}

/** Removes features of images that the dataset does not have any more; answers how many files. */
async function sweepImageFeatures(
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
