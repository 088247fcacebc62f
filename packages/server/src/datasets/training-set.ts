import type { BoxedImage, ClassifiedImage, Label } from '@lynceus/engine';
import { ServiceError } from '../core/service-error.js';
import type { BlobStore } from '../storage/blobs/blob-store.js';
import { type AssignSplit, usualHeldOut } from './assign-split.js';
import type { Classes } from './classes.js';
import type { DatasetImage } from './dataset.js';
import type { Datasets } from './datasets.js';
import type { Images } from './images.js';

/** What a training is given of a dataset. */
export type TrainingSet = { readonly labels: readonly Label[] } & (
  | {
      readonly kind: 'classification';
      readonly multiLabel: boolean;
      /** An image without a label shows none of the classes. */
      readonly images: readonly ClassifiedImage[];
    }
  | { readonly kind: 'object_detection'; readonly images: readonly BoxedImage[] }
);

/**
 * The labelled images of a dataset, with the files of their bytes, which are to be read only; what has no split yet is
 * split first. Classes are numbered in the order in which they were added. Throws `not_found`.
 */
export type ReadTrainingSet = (accountId: number, datasetId: number) => Promise<TrainingSet>;

export function createReadTrainingSet(deps: {
  readonly datasets: Pick<Datasets, 'read'>;
  readonly classes: Pick<Classes, 'list'>;
  readonly images: Pick<Images, 'walk'>;
  readonly assignSplit: AssignSplit;
  readonly blobs: Pick<BlobStore, 'locate'>;
}): ReadTrainingSet {
  const { datasets, classes, images, assignSplit, blobs } = deps;
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
    const [classified, boxed]: [ClassifiedImage[], BoxedImage[]] = [[], []];
    for await (const batch of images.walk(accountId, datasetId)) {
      for (const image of batch.filter(({ isLabelled }) => isLabelled)) {
        const basis = await locate(image, blobs);
        if (basis === null) continue;
        if (dataset.task === 'classification') {
          classified.push({ ...basis, labels: image.labels.map(({ classId }) => indexOf(classId)) });
          continue;
        }
        const boxes = image.labels.flatMap(({ classId, box }) =>
          box === null ? [] : [{ label: indexOf(classId), box }],
        );
        boxed.push({ ...basis, boxes });
      }
    }
    return dataset.task === 'classification'
      ? { kind: 'classification', multiLabel: dataset.multiLabel, labels, images: classified }
      : { kind: 'object_detection', labels, images: boxed };
  };
}

/** Null for one that was deleted meanwhile. */
async function locate({ id, blobId, sha256, split }: DatasetImage, blobs: Pick<BlobStore, 'locate'>) {
  const path = await blobs.locate(blobId);
  return path === null ? null : { id: String(id), path, sha256, split: split ?? ('train' as const) };
}
