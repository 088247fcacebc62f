import type { Readable } from 'node:stream';
import { Value } from 'typebox/value';
import { ServiceError } from '../../../core/service-error.js';
import type { Jobs } from '../../../service/jobs/jobs.js';
import type { BlobStore } from '../../../storage/blobs/blob-store.js';
import { toCsv } from './findings-file.js';
import { ImportPayload, importKind } from './import-job.js';

export const findingsFormats = ['csv', 'jsonl'] as const;
type FindingsFormat = (typeof findingsFormats)[number];

/** All findings of the last import into a dataset. Throws `not_found` when there is none, or its findings are kept no longer. */
export type ReadImportFindings = (
  accountId: number,
  datasetId: number,
  format: FindingsFormat,
) => Promise<Readable>;

const unfinished = {
  waiting: 'has not ended: ask again when its job is done',
  running: 'has not ended: ask again when its job is done',
  failed: 'failed: the error of its job says why, and there is no report',
  cancelled: 'was cancelled, and there is no report: import the same again',
} as const;

export function createReadImportFindings({
  jobs,
  imports,
}: {
  readonly jobs: Pick<Jobs, 'latest'>;
  readonly imports: Pick<BlobStore, 'read'>;
}): ReadImportFindings {
  return async (accountId, datasetId, format) => {
    const job = await jobs.latest(accountId, importKind, String(datasetId));
    if (!job)
      throw new ServiceError('not_found', 'nothing was imported into this dataset, or it is long ago');
    if (job.state !== 'done') {
      throw new ServiceError('not_found', `the last import into this dataset ${unfinished[job.state]}`);
    }
    const { payload } = job;
    const blobId = Value.Check(ImportPayload, payload) ? payload.findingsId : undefined;
    const blob = blobId === undefined ? null : await imports.read(blobId);
    if (blob === null)
      throw new ServiceError(
        'not_found',
        'the findings of this import are kept no longer: the result of its job has the first thousand',
      );
    return format === 'csv' ? toCsv(blob.stream) : blob.stream;
  };
}
