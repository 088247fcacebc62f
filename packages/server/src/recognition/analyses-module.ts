import type { Core } from '../service/core.js';
import { ledSweep, type Module } from '../service/module.js';
import { deletableBlobs, filesNamedBy, storeFiles } from '../storage/account-files.js';
import type { BlobStore } from '../storage/blobs/blob-store.js';
import { guardBlobs } from '../storage/blobs/guarded-blobs.js';
import { fileColumns } from '../storage/file-columns.js';
import { isNamedIn } from '../storage/quarantine/swept-files.js';
import { type Analyses, createAnalyses } from './analyses.js';
import { createImageKeeper, type KeepImage, sweptAnalysisImages } from './kept-images.js';
import { sweepExpiredAnalyses } from './record.js';

export interface AnalysesModule extends Module {
  readonly analyses: Analyses;
  /** Of analyses, where images are kept. */
  readonly imageFiles: BlobStore;
  readonly keepImage: KeepImage;
}

/** What was found in images, and the images where they are kept. */
export async function openAnalysesModule(core: Core): Promise<AnalysesModule> {
  const { database, clock, settings } = core;
  const imageFiles = guardBlobs(await core.openImages('images', 'analysis'), core.imageDisk);
  const swept = sweptAnalysisImages(database, imageFiles);
  const named = filesNamedBy(database, fileColumns.images);
  return {
    analyses: createAnalyses({ database, imageFiles, clock }),
    imageFiles,
    keepImage: createImageKeeper({ imageFiles, keepImages: settings.keepImages }),
    sweeps: [ledSweep('expired-analyses', (fenced) => sweepExpiredAnalyses(fenced, imageFiles, clock()))],
    sweptStores: [swept],
    accountFiles: [storeFiles('images', deletableBlobs(imageFiles), named)],
    images: { analysis: isNamedIn(swept) },
  };
}
