import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { ServiceError } from '../../../core/service-error.js';
import { callerOf } from '../../../http/api/caller.js';
import { exactly } from '../../../http/api/fields.js';
import { Job, toJob } from '../../../http/api/job.js';
import type { ApiScope } from '../../../http/api/scope.js';
import { createRequestSignal } from '../../../http/common/request-signal.js';
import { readUploadStream } from '../../../intake/upload-stream.js';
import { ownedUuid } from '../../../storage/blobs/owned-id.js';
import { StorageError } from '../../../storage/storage-error.js';
import { formatNames, readableFormats } from '../formats/plan.js';
import { findingsFormats } from '../import/import-findings.js';
import type { DatasetDeps } from './deps.js';
import { DatasetParams } from './fields.js';

const Format = Type.Enum([...formatNames], { description: `one of ${formatNames.join(', ')}` });
const ImportFormat = Type.Enum([...readableFormats], {
  description: `one of ${readableFormats.join(', ')}; found by the files unless given`,
});
const Zip = {
  content: {
    'multipart/form-data': {
      schema: Type.Object({ file: Type.Optional(Type.String({ format: 'binary' })) }),
    },
    'application/zip': { schema: Type.String({ format: 'binary' }) },
  },
};
const tags = ['datasets'];

/** A dataset as a zip. */
export function addExportRoute(app: ApiScope, { datasets: store }: DatasetDeps): void {
  app.get('/datasets/:id/export', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'exportDataset',
      summary: 'The images and what they show, as one zip of a format that other programs read',
      params: DatasetParams,
      querystring: exactly({ format: Format }),
      response: {
        200: {
          description: 'The zip',
          content: {
            'application/zip': { schema: Type.Unsafe<Readable>(Type.String({ format: 'binary' })) },
          },
        },
      },
    },
    async handler(request, reply) {
      const { accountId } = callerOf(request);
      const dataset = await store.datasets.read(accountId, request.params.id);
      const { format } = request.query;
      const zip = await store.exportDataset(accountId, dataset, format);
      return reply
        .type('application/zip')
        .header('content-disposition', `attachment; filename="dataset-${dataset.id}-${format}.zip"`)
        .send(zip);
    },
  });
}

const Lines = { schema: Type.Unsafe<Readable>(Type.String({ format: 'binary' })) };
const mediaTypes = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson' } as const;

/** All findings of the last import. */
export function addImportFindingsRoute(
  app: ApiScope,
  { datasets: store, readImportFindings }: DatasetDeps,
): void {
  app.get('/datasets/:id/import/findings', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'readImportFindings',
      summary: 'All findings of the last import into the dataset, a line each, for 30 days',
      params: DatasetParams,
      querystring: exactly({
        format: Type.Optional(
          Type.Enum([...findingsFormats], {
            default: 'csv',
            description: `one of ${findingsFormats.join(', ')}`,
          }),
        ),
      }),
      response: {
        200: {
          description: 'The findings',
          content: { 'text/csv': Lines, 'application/x-ndjson': Lines },
        },
      },
    },
    async handler(request, reply) {
      const { accountId } = callerOf(request);
      const { id } = await store.datasets.read(accountId, request.params.id);
      const { format = 'csv' } = request.query;
      const lines = await readImportFindings(accountId, id, format);
      return reply
        .type(mediaTypes[format])
        .header('content-disposition', `attachment; filename="import-${id}.${format}"`)
        .send(lines);
    },
  });
}

/** A zip as images of a dataset, in a scope that leaves bodies unread. */
export function addImportRoute(app: ApiScope, deps: DatasetDeps): void {
  app.post('/datasets/:id/import', {
    config: {
      right: 'change',
      audit: ['datasets.import', 'dataset'],
      arrivalTimeoutMs: deps.settings.importTimeoutMs,
    },
    schema: {
      tags,
      operationId: 'importDataset',
      summary: 'Takes a zip of images and what they show, and answers the job that imports it',
      params: DatasetParams,
      querystring: exactly({ format: Type.Optional(ImportFormat) }),
      body: Zip,
      response: { 202: Job },
    },
    async handler(request, reply) {
      const { accountId } = callerOf(request);
      const { settings, imports, importDatasets } = deps;
      const { id: datasetId } = await deps.datasets.datasets.read(accountId, request.params.id);
      const blobId = ownedUuid(accountId);
      const signal = createRequestSignal(reply, deps, settings.importTimeoutMs);
      const limits = { maxBytes: settings.maxArchiveBytes, signal };
      await imports.write(blobId, readUploadStream(request.raw, limits));
      const { format = null } = request.query;
      const jobId = await request
        .requireAccess()
        .then(() =>
          importDatasets(accountId, { datasetId, blobId, findingsId: ownedUuid(accountId), format }),
        )
        .catch(async (error: unknown) => {
          await imports.remove(blobId);
          if (!(error instanceof StorageError) || error.code !== 'unique') throw error;
          throw new ServiceError(
            'conflict',
            'something is being imported into this dataset: wait for its end, or cancel it',
          );
        });
      return toJob(await deps.jobs.read(accountId, jobId));
    },
  });
}
