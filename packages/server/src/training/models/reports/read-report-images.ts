import type { ImageLimits, ModelRunner } from '@lynceus/engine';
import { ServiceError } from '../../../core/service-error.js';
import { type BlobStore, withFile } from '../../../storage/blobs/blob-store.js';
import type { DatasetImage } from '../../datasets/dataset.js';
import type { Images } from '../../datasets/images.js';
import { analyseWhenFree } from '../analyse-when-free.js';
import type { ReportImage } from './page/mistake-images.js';

/** Small copies of a dataset's images, by id; those that are gone or do not open are left out. */
export type ReadReportImages = (
  accountId: number,
  datasetId: number,
  ids: readonly string[],
  signal: AbortSignal,
) => Promise<ReadonlyMap<string, ReportImage>>;

const thumbnailPx = 360;

export function createReadReportImages({
  images,
  blobs,
  runner,
  limits,
}: {
  readonly images: Pick<Images, 'read'>;
  readonly blobs: Pick<BlobStore, 'hold'>;
  readonly runner: Pick<ModelRunner, 'analyse'>;
  readonly limits: ImageLimits;
}): ReadReportImages {
  const find = async (accountId: number, datasetId: number, id: string): Promise<DatasetImage | null> => {
    try {
      return await images.read(accountId, datasetId, Number(id));
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'not_found') return null;
      throw error;
    }
  };
  return async (accountId, datasetId, ids, signal) => {
    const shown = new Map<string, ReportImage>();
    for (const id of ids) {
      const image = await find(accountId, datasetId, id);
      if (!image) continue;
      const tasks = [{ task: 'thumbnail', options: { maxSidePx: thumbnailPx } }] as const;
      const by = { priority: 'interactive', owner: String(accountId), signal } as const;
      const analysis = await withFile(blobs, image.blobId, (path) =>
        analyseWhenFree(runner, { source: { kind: 'file', path }, limits, tasks }, by),
      );
      const jpeg = analysis?.results.thumbnail?.jpeg;
      if (!jpeg) continue;
      const { fileName, width, height } = image;
      shown.set(id, { fileName, width, height, jpeg });
    }
    return shown;
  };
}
