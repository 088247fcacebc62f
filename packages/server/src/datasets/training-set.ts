import type { BoxedPicture, ClassifiedPicture, Label } from '@lynceus/engine';
import { ServiceError } from '../errors/service-error.js';
import type { BlobStore } from '../storage/blobs/blob-store.js';
import { type AssignSplit, usualHeldOut } from './assign-split.js';
import type { Classes } from './classes.js';
import type { DatasetPicture } from './dataset.js';
import type { Datasets } from './datasets.js';
import type { Pictures } from './pictures.js';

/** What a training is given of a dataset. */
export type TrainingSet = { readonly labels: readonly Label[] } & (
  | {
      readonly kind: 'classification';
      readonly multiLabel: boolean;
      /** A picture without a label shows none of the classes. */
      readonly pictures: readonly ClassifiedPicture[];
    }
  | { readonly kind: 'object_detection'; readonly pictures: readonly BoxedPicture[] }
);

/**
 * The labelled pictures of a dataset, with the files of their bytes, which are to be read only; what has no split yet is
 * split first. Classes are numbered in the order in which they were added. Throws `not_found`.
 */
export type ReadTrainingSet = (accountId: number, datasetId: number) => Promise<TrainingSet>;

export function createReadTrainingSet(deps: {
  readonly datasets: Pick<Datasets, 'read'>;
  readonly classes: Pick<Classes, 'list'>;
  readonly pictures: Pick<Pictures, 'walk'>;
  readonly assignSplit: AssignSplit;
  readonly blobs: Pick<BlobStore, 'locate'>;
}): ReadTrainingSet {
  const { datasets, classes, pictures, assignSplit, blobs } = deps;
  return async (accountId, datasetId) => {
    const dataset = await datasets.read(accountId, datasetId);
    await assignSplit(accountId, dataset, usualHeldOut);
    const known = await classes.list(accountId, datasetId);
    const labels = known.map(({ id, name }): Label => ({ id: `${dataset.uid}:${id}`, title: name }));
    const indexes = new Map(known.map(({ id }, index) => [id, index]));
    const indexOf = (classId: number): number => {
      const index = indexes.get(classId);
      if (index === undefined)
        throw new ServiceError('conflict', 'classes were changed meanwhile: try again');
      return index;
    };
    const [classified, boxed]: [ClassifiedPicture[], BoxedPicture[]] = [[], []];
    for await (const batch of pictures.walk(accountId, datasetId)) {
      for (const picture of batch.filter(({ isLabelled }) => isLabelled)) {
        const basis = await locate(picture, blobs);
        if (basis === null) continue;
        if (dataset.task === 'classification') {
          classified.push({ ...basis, labels: picture.labels.map(({ classId }) => indexOf(classId)) });
          continue;
        }
        const boxes = picture.labels.flatMap(({ classId, box }) =>
          box === null ? [] : [{ label: indexOf(classId), box }],
        );
        boxed.push({ ...basis, boxes });
      }
    }
    return dataset.task === 'classification'
      ? { kind: 'classification', multiLabel: dataset.multiLabel, labels, pictures: classified }
      : { kind: 'object_detection', labels, pictures: boxed };
  };
}

/** Null for one that was deleted meanwhile. */
async function locate({ id, blobId, sha256, split }: DatasetPicture, blobs: Pick<BlobStore, 'locate'>) {
  const path = await blobs.locate(blobId);
  return path === null ? null : { id: String(id), path, sha256, split: split ?? ('train' as const) };
}
