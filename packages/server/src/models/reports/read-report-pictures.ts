import type { ModelRunner, PictureLimits } from '@lynceus/engine';
import type { DatasetPicture } from '../../datasets/dataset.js';
import type { Pictures } from '../../datasets/pictures.js';
import { ServiceError } from '../../errors/service-error.js';
import type { BlobStore } from '../../storage/blobs/blob-store.js';
import { analyseInTurn } from '../analyse-in-turn.js';
import type { ReportPicture } from './page/mistake-pictures.js';

/** Small copies of a dataset's pictures, by id; those that are gone or do not open are left out. */
export type ReadReportPictures = (
  accountId: number,
  datasetId: number,
  ids: readonly string[],
  signal: AbortSignal,
) => Promise<ReadonlyMap<string, ReportPicture>>;

const thumbnailPx = 360;

export function createReadReportPictures({
  pictures,
  blobs,
  runner,
  limits,
}: {
  readonly pictures: Pick<Pictures, 'read'>;
  readonly blobs: Pick<BlobStore, 'locate'>;
  readonly runner: Pick<ModelRunner, 'analyse'>;
  readonly limits: PictureLimits;
}): ReadReportPictures {
  const find = async (accountId: number, datasetId: number, id: string): Promise<DatasetPicture | null> => {
    try {
      return await pictures.read(accountId, datasetId, Number(id));
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'not_found') return null;
      throw error;
    }
  };
  return async (accountId, datasetId, ids, signal) => {
    const shown = new Map<string, ReportPicture>();
    for (const id of ids) {
      const picture = await find(accountId, datasetId, id);
      const path = picture && (await blobs.locate(picture.blobId));
      if (!picture || path === null) continue;
      const job = {
        ...({ source: { kind: 'file', path }, limits } as const),
        tasks: [{ task: 'thumbnail', options: { maxSidePx: thumbnailPx } }],
      } as const;
      const analysis = await analyseInTurn(runner, job, {
        ...({ priority: 'interactive', owner: String(accountId) } as const),
        signal,
      });
      const jpeg = analysis?.results.thumbnail?.jpeg;
      if (!jpeg) continue;
      const { fileName, width, height } = picture;
      shown.set(id, { fileName, width, height, jpeg });
    }
    return shown;
  };
}
