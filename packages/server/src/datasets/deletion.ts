import type { Clock } from '../core/clock.js';
import type { BlobStore } from '../storage/blobs/blob-store.js';
import type { Database } from '../storage/database.js';
import { StorageError } from '../storage/storage-error.js';
import { noDataset } from './datasets.js';

/** What a deletion removed, for good. */
export interface DatasetReceipt {
  readonly images: number;
  readonly labels: number;
  readonly classes: number;
  /** Of the images' files. */
  readonly bytes: number;
}

export interface DatasetDeletion {
  /** Nobody sees it from the first moment on; one that was cut short is ended by `finish`. */
  removeDataset(accountId: number, id: number): Promise<DatasetReceipt>;
  /** Those of these images that the dataset has. */
  removeImages(accountId: number, datasetId: number, ids: readonly number[]): Promise<DatasetReceipt>;
  /** Ends deletions that a killed service left half done; answers how many. */
  finish(): Promise<number>;
}

/** Images in one unit, so that it holds no other writer up. */
const batchSize = 300;
const nothing: DatasetReceipt = { images: 0, labels: 0, classes: 0, bytes: 0 };

export function createDatasetDeletion({
  database,
  clock,
  blobs,
}: {
  readonly database: Database;
  readonly clock: Clock;
  readonly blobs: Pick<BlobStore, 'remove'>;
}): DatasetDeletion {
  const { query } = database;

  /** The rows first, then what they named. */
  const removeBatch = async (accountId: number, ids: readonly number[]): Promise<DatasetReceipt> => {
    const [labels, deleted] = await database.write([
      query.deleteFrom('dataset_label').where('account_id', '=', accountId).where('image_id', 'in', ids),
      query
        .deleteFrom('dataset_image')
        .where('account_id', '=', accountId)
        .where('id', 'in', ids)
        .returning(['blob_id', 'image_bytes']),
    ]);
    const rows = deleted?.rows ?? [];
    await Promise.all(rows.map((row) => blobs.remove(String(row['blob_id']))));
    return {
      images: rows.length,
      labels: labels?.changes ?? 0,
      classes: 0,
      bytes: rows.reduce((sum, row) => sum + Number(row['image_bytes']), 0),
    };
  };

  const empty = async (accountId: number, datasetId: number): Promise<DatasetReceipt> => {
    let receipt = nothing;
    for (;;) {
      const rows = await query
        .selectFrom('dataset_image')
        .select(['id', 'blob_id'])
        .where('account_id', '=', accountId)
        .where('dataset_id', '=', datasetId)
        .limit(batchSize)
        .execute();
      if (rows.length > 0) {
        // Nobody sees it, so the files may go first: a service killed in between leaves no file that no row names.
        await Promise.all(rows.map((row) => blobs.remove(row.blob_id)));
        const ids = rows.map(({ id }) => id);
        receipt = sum(receipt, await removeBatch(accountId, ids));
        continue;
      }
      const done = await database
        .write([
          query
            .deleteFrom('dataset_class')
            .where('account_id', '=', accountId)
            .where('dataset_id', '=', datasetId),
          query.deleteFrom('dataset').where('account_id', '=', accountId).where('id', '=', datasetId),
        ])
        .catch((error: unknown) => {
          // An image was added meanwhile, which keeps its dataset.
          if (error instanceof StorageError && error.code === 'constraint') return null;
          throw error;
        });
      if (done !== null) return { ...receipt, classes: done[0]?.changes ?? 0 };
    }
  };

  return {
    async removeDataset(accountId, id) {
      const [marked] = await database.write([
        query
          .updateTable('dataset')
          .set({ deleted_at: clock() })
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .where('deleted_at', 'is', null),
      ]);
      if (marked?.changes !== 1) throw noDataset(id);
      return empty(accountId, id);
    },

    async removeImages(accountId, datasetId, wanted) {
      let receipt = nothing;
      for (let at = 0; at < wanted.length; at += batchSize) {
        const rows = await query
          .selectFrom('dataset_image')
          .select('id')
          .where('account_id', '=', accountId)
          .where('dataset_id', '=', datasetId)
          .where('id', 'in', wanted.slice(at, at + batchSize))
          .execute();
        const ids = rows.map(({ id }) => id);
        if (ids.length > 0) receipt = sum(receipt, await removeBatch(accountId, ids));
      }
      return receipt;
    },

    async finish() {
      const rows = await query
        .selectFrom('dataset')
        .select(['account_id as accountId', 'id'])
        .where('deleted_at', 'is not', null)
        .execute();
      for (const { accountId, id } of rows) await empty(accountId, id);
      return rows.length;
    },
  };
}

function sum(a: DatasetReceipt, b: DatasetReceipt): DatasetReceipt {
  return {
    images: a.images + b.images,
    labels: a.labels + b.labels,
    classes: a.classes + b.classes,
    bytes: a.bytes + b.bytes,
  };
}
