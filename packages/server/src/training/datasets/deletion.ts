import type { Clock } from '../../core/clock.js';
import type { BlobStore } from '../../storage/blobs/blob-store.js';
import type { Database } from '../../storage/database.js';
import { createImageRemoval, type RemovedImages } from '../../storage/image-removal.js';
import { createDatasetRows } from './datasets.js';

/** What a deletion removed, for good. */
export interface DatasetReceipt {
  readonly images: number;
  readonly labels: number;
  readonly classes: number;
  /** Of the images' files. */
  readonly bytes: number;
}

/** Images looked up at once. */
const batchSize = 300;

export function createDatasetDeletion({
  database,
  clock,
  blobs,
}: {
  readonly database: Database;
  readonly clock: Clock;
  readonly blobs: Pick<BlobStore, 'remove'>;
}) {
  const { query } = database;
  const rows = createDatasetRows({ database, clock });
  const images = createImageRemoval({
    database,
    files: blobs,
    table: 'dataset_image',
    dependents: 'dataset_label',
  });

  const deleteDataset = async ({ account_id: accountId, id }: { account_id: number; id: number }) => {
    const { removed, ownRows } = await images.removeOwner(
      accountId,
      { column: 'dataset_id', id, isHidden: true },
      [
        query.deleteFrom('dataset_class').where('account_id', '=', accountId).where('dataset_id', '=', id),
        query.deleteFrom('dataset').where('account_id', '=', accountId).where('id', '=', id),
      ],
    );
    return toReceipt(removed, ownRows[0]?.changes);
  };

  return {
    /** Hidden at once; a deletion that is interrupted is completed by `finish`. */
    removeDataset: (accountId: number, id: number): Promise<DatasetReceipt> =>
      rows.remove(accountId, id, deleteDataset),
    /** Completes deletions that were interrupted; returns how many. */
    finish: (hiddenForMs?: number): Promise<number> =>
      rows.finishRemovals(
        deleteDataset,
        hiddenForMs === undefined ? undefined : { hiddenBefore: clock() - hiddenForMs },
      ),

    /** Those of these images that the dataset has. */
    async removeImages(
      accountId: number,
      datasetId: number,
      wanted: readonly number[],
    ): Promise<DatasetReceipt> {
      const ids: number[] = [];
      for (let at = 0; at < wanted.length; at += batchSize) {
        const found = await query
          .selectFrom('dataset_image')
          .select('id')
          .where('account_id', '=', accountId)
          .where('dataset_id', '=', datasetId)
          .where('id', 'in', wanted.slice(at, at + batchSize))
          .execute();
        ids.push(...found.map(({ id }) => id));
      }
      return toReceipt(await images.removeIds(accountId, ids));
    },
  };
}

function toReceipt({ images, dependents, bytes }: RemovedImages, classes = 0): DatasetReceipt {
  return { images, labels: dependents, classes, bytes };
}
