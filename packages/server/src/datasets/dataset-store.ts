import type { Clock } from '../core/clock.js';
import type { Settings } from '../core/settings.js';
import type { BlobStore } from '../storage/blobs/blob-store.js';
import type { Database } from '../storage/database.js';
import type { DiskGuard } from '../storage/disk-guard.js';
import { type Adding, openAdding } from './add-images.js';
import { type AssignSplit, createAssignSplit } from './assign-split.js';
import { type CheckDataset, createCheckDataset } from './check-dataset.js';
import { type Classes, createClasses } from './classes.js';
import { countDataset, type DatasetCounts } from './counts.js';
import type { Dataset } from './dataset.js';
import { createDatasets, type Datasets } from './datasets.js';
import { createDatasetDeletion, type DatasetDeletion } from './deletion.js';
import { createExportDataset, type ExportDataset } from './export-dataset.js';
import type { ImageLimits } from './image-quota.js';
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

export interface DatasetStoreDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly blobs: BlobStore;
  readonly runner: Parameters<typeof createLookAtImage>[0]['runner'];
  readonly maxPixels: number;
  readonly limits: ImageLimits & Pick<Settings, 'accountMaxDatasets'>;
  readonly disk: Pick<DiskGuard, 'require'>;
}

export function createDatasetStore(deps: DatasetStoreDeps): DatasetStore {
  const { database, clock, blobs, limits, disk } = deps;
  const datasets = createDatasets({ database, clock, limits });
  const classes = createClasses(database);
  const images = createImages({ database, clock });
  const labels = createLabels({ database, classes });
  const assignSplit = createAssignSplit({ database, images });
  const lookAtImage = createLookAtImage(deps);
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
