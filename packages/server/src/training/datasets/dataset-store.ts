import type { Core } from '../../service/core.js';
import type { BlobStore } from '../../storage/blobs/blob-store.js';
import { type Adding, openAdding } from './add-images.js';
import { type AssignSplit, createAssignSplit } from './assign-split.js';
import { type CheckDataset, createCheckDataset } from './check-dataset.js';
import { type Classes, createClasses } from './classes.js';
import { countDataset, type DatasetCounts } from './counts.js';
import type { Dataset } from './dataset.js';
import { createDatasets, type Datasets } from './datasets.js';
import { createDatasetDeletion, type DatasetDeletion } from './deletion.js';
import { createExportDataset, type ExportDataset } from './export-dataset.js';
import { createImages, type Images } from './images.js';
import { createLabels, type Labels } from './labels.js';
import { createLookAtImage, type LookAtImage } from './look-at-image.js';
import { createUseTrainingSet, type UseTrainingSet } from './training-set.js';

/** Datasets, their classes and images, and what is done with them. */
export interface DatasetStore {
  readonly datasets: Datasets;
  readonly classes: Classes;
  readonly images: Images;
  readonly labels: Labels;
  readonly assignSplit: AssignSplit;
  readonly check: CheckDataset;
  readonly exportDataset: ExportDataset;
  readonly deletion: DatasetDeletion;
  readonly useTrainingSet: UseTrainingSet;
  readonly lookAtImage: LookAtImage;
  count(accountId: number, dataset: Dataset): Promise<DatasetCounts>;
  /** For images that are added one after the other. */
  openAdding(accountId: number, dataset: Dataset): Promise<Adding>;
  /** Files of images, by `blobId`. */
  readonly blobs: BlobStore;
}

type DatasetCore = Pick<Core, 'database' | 'clock' | 'runner' | 'settings' | 'imageDisk'>;

export function createDatasetStore(core: DatasetCore, blobs: BlobStore): DatasetStore {
  const { database, clock, runner, settings: limits, imageDisk: disk } = core;
  const datasets = createDatasets({ database, clock, limits });
  const classes = createClasses(database);
  const images = createImages({ database, clock });
  const labels = createLabels({ database, classes });
  const assignSplit = createAssignSplit({ database, images });
  const lookAtImage = createLookAtImage({ runner, maxPixels: limits.maxPixels });
  const adding = { database, images, labels, blobs, lookAtImage, limits, disk };
  return {
    datasets,
    classes,
    images,
    labels,
    assignSplit,
    lookAtImage,
    blobs,
    check: createCheckDataset({ classes, images }),
    exportDataset: createExportDataset({ classes, images, blobs }),
    deletion: createDatasetDeletion({ database, clock, blobs }),
    useTrainingSet: createUseTrainingSet({ datasets, classes, images, assignSplit, blobs }),
    count: (accountId, dataset) => countDataset(database, accountId, dataset),
    openAdding: (accountId, dataset) => openAdding(adding, accountId, dataset),
  };
}
