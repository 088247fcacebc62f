import type { BoxedImage, ClassifiedImage, Label } from '@lynceus/engine';
import { forEachLimited } from '../../core/for-each-limited.js';
import { ServiceError } from '../../core/service-error.js';
import type { BlobStore, HeldFile } from '../../storage/blobs/blob-store.js';
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
 * Works on the labelled images of a dataset, with files of their bytes, which are to be read only and there until the work
 * ends; what has no split yet is split first. Classes are numbered in the order in which they were added. Throws `not_found`.
 */
export type UseTrainingSet = <T>(
  accountId: number,
  datasetId: number,
  work: (set: TrainingSet) => Promise<T>,
) => Promise<T>;

const heldAtOnce = 16;

export function createUseTrainingSet(deps: {
  readonly datasets: Pick<Datasets, 'read'>;
  readonly classes: Pick<Classes, 'list'>;
  readonly images: Pick<Images, 'walk'>;
  readonly assignSplit: AssignSplit;
  readonly blobs: Pick<BlobStore, 'hold'>;
}): UseTrainingSet {
  const { datasets, classes, images, assignSplit, blobs } = deps;
  const read = async (accountId: number, datasetId: number, held: HeldFile[]): Promise<TrainingSet> => {
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
      const labelled = batch.filter(({ isLabelled }) => isLabelled);
      const paths = new Map<string, string>();
      // A store that is not on this machine is asked for several at once. None is under way any more when one has failed.
      await forEachLimited(labelled, heldAtOnce, async ({ blobId }) => {
        const file = await blobs.hold(blobId);
        if (file === null) return;
        held.push(file);
        paths.set(blobId, file.path);
      });
      for (const image of labelled) {
        const path = paths.get(image.blobId);
        // One that was deleted meanwhile.
        if (path === undefined) continue;
        const basis = basisOf(image, path);
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
  return async (accountId, datasetId, work) => {
    const held: HeldFile[] = [];
    try {
      return await work(await read(accountId, datasetId, held));
    } finally {
      for (const file of held) file.release();
    }
  };
}

function basisOf({ id, sha256, split, isPartlyLabelled }: DatasetImage, path: string) {
  return { id: String(id), path, sha256, split: split ?? ('train' as const), isPartlyLabelled };
}
