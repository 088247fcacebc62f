import type { Core } from '../../service/core.js';
import type { BlobStore } from '../../storage/blobs/blob-store.js';
import { type Adding, openAdding } from './add-images.js';
import { createAssignSplit } from './assign-split.js';
import { createCheckDataset } from './check-dataset.js';
import { createClasses } from './classes.js';
import { countDataset, type DatasetCounts } from './counts.js';
import type { Dataset } from './dataset.js';
import { createDatasets } from './datasets.js';
import { createDatasetDeletion } from './deletion.js';
import { createExportDataset } from './export-dataset.js';
import { createImages } from './images.js';
import { createLabels } from './labels.js';
import { createLookAtImage } from './look-at-image.js';
import { createUseTrainingSet } from './training-set.js';

/** Datasets, their classes and images, and what is done with them. */
export type DatasetStore = ReturnType<typeof createDatasetStore>;

type DatasetCore = Pick<Core, 'database' | 'clock' | 'runner' | 'settings' | 'imageDisk'>;

export function createDatasetStore(core: DatasetCore, blobs: BlobStore) {
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
    /** Files of images, by `blobId`. */
    blobs,
    check: createCheckDataset({ classes, images }),
    exportDataset: createExportDataset({ classes, images, blobs }),
    deletion: createDatasetDeletion({ database, clock, blobs }),
    useTrainingSet: createUseTrainingSet({ datasets, classes, images, assignSplit, blobs }),
    count: (accountId: number, dataset: Dataset): Promise<DatasetCounts> =>
      countDataset(database, accountId, dataset),
    /** For images that are added one after the other. */
    openAdding: (accountId: number, dataset: Dataset): Promise<Adding> =>
      openAdding(adding, accountId, dataset),
  };
}
