import type { Clock } from '../clock.js';
import type { Settings } from '../config/settings.js';
import type { BlobStore } from '../storage/blobs/blob-store.js';
import type { Database } from '../storage/database.js';
import type { DiskRoom } from '../storage/disk-room.js';
import { type Adding, openAdding } from './add-pictures.js';
import { type AssignSplit, createAssignSplit } from './assign-split.js';
import { type CheckDataset, createCheckDataset } from './check-dataset.js';
import { type Classes, createClasses } from './classes.js';
import { countDataset, type DatasetCounts } from './counts.js';
import type { Dataset } from './dataset.js';
import { createDatasets, type Datasets } from './datasets.js';
import { createDatasetDeletion, type DatasetDeletion } from './deletion.js';
import { createExportDataset, type ExportDataset } from './export-dataset.js';
import { createLabels, type Labels } from './labels.js';
import { createLookAtPicture, type LookAtPicture } from './look-at-picture.js';
import type { PictureLimits } from './picture-room.js';
import { createPictures, type Pictures } from './pictures.js';
import { createReadTrainingSet, type ReadTrainingSet } from './training-set.js';

/** Datasets, their classes and pictures, and what is done with them. */
export interface DatasetStore {
  readonly datasets: Datasets;
  readonly classes: Classes;
  readonly pictures: Pictures;
  readonly labels: Labels;
  readonly assignSplit: AssignSplit;
  readonly check: CheckDataset;
  readonly exportDataset: ExportDataset;
  readonly deletion: DatasetDeletion;
  readonly readTrainingSet: ReadTrainingSet;
  readonly lookAtPicture: LookAtPicture;
  count(accountId: number, dataset: Dataset): Promise<DatasetCounts>;
  /** For pictures that are added one after the other. */
  openAdding(accountId: number, dataset: Dataset): Promise<Adding>;
  /** Files of pictures, by `blobId`. */
  readonly blobs: BlobStore;
}

export interface DatasetStoreDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly blobs: BlobStore;
  readonly runner: Parameters<typeof createLookAtPicture>[0]['runner'];
  readonly maxPixels: number;
  readonly limits: PictureLimits & Pick<Settings, 'accountMaxDatasets'>;
  readonly disk: Pick<DiskRoom, 'require'>;
}

export function createDatasetStore(deps: DatasetStoreDeps): DatasetStore {
  const { database, clock, blobs, limits, disk } = deps;
  const datasets = createDatasets({ database, clock, limits });
  const classes = createClasses(database);
  const pictures = createPictures({ database, clock });
  const labels = createLabels({ database, classes });
  const assignSplit = createAssignSplit({ database, pictures });
  const lookAtPicture = createLookAtPicture(deps);
  const adding = { database, pictures, labels, blobs, lookAtPicture, limits, disk };
  return {
    ...{ datasets, classes, pictures, labels, assignSplit, lookAtPicture, blobs },
    check: createCheckDataset({ classes, pictures }),
    exportDataset: createExportDataset({ classes, pictures, blobs }),
    deletion: createDatasetDeletion({ database, clock, blobs }),
    readTrainingSet: createReadTrainingSet({ datasets, classes, pictures, assignSplit, blobs }),
    count: (accountId, dataset) => countDataset(database, accountId, dataset),
    openAdding: (accountId, dataset) => openAdding(adding, accountId, dataset),
  };
}
