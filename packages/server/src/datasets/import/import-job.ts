import type { SelectQueryBuilder } from 'kysely';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { ServiceError } from '../../core/service-error.js';
import { JobFailure, type JobKind } from '../../jobs/job.js';
import { type BlobStore, withFile } from '../../storage/blobs/blob-store.js';
import type { Database } from '../../storage/database.js';
import type { SweptStore } from '../../storage/quarantine/sweep-store.js';
import type { Schema } from '../../storage/schema.js';
import type { DatasetStore } from '../dataset-store.js';
import { FormatError, formatNames } from '../formats/plan.js';
import { type ImportDeps, type ImportReport, importDataset } from './import-dataset.js';

export const importKind = 'dataset-import';

const Payload = Type.Object({
  datasetId: Type.Integer(),
  /** The zip, among the imports. */
  blobId: Type.String(),
  format: Type.Union([Type.Enum([...formatNames]), Type.Null()]),
});

export type ImportPayload = Static<typeof Payload>;

export interface ImportJobDeps extends ImportDeps {
  readonly store: DatasetStore;
  readonly imports: Pick<BlobStore, 'hold' | 'list' | 'remove'>;
  readonly database: Pick<Database, 'query'>;
}

/**
 * Imports a zip that was uploaded; its result is an `ImportReport`. The zip goes once the end of the job is on disk: with the
 * next import or sweep.
 */
export function createImportJob(deps: ImportJobDeps): JobKind {
  const { store, imports, database } = deps;
  const run: JobKind['run'] = async (job, { signal, fence, progress }) => {
    const payload: unknown = job.payload;
    if (!Value.Check(Payload, payload)) throw new JobFailure('the job was written by another version');
    const { datasetId, blobId, format } = payload;
    await sweepEndedImports(database, imports);
    const importZip = async (path: string): Promise<ImportReport> => {
      const dataset = await store.datasets.read(job.accountId, datasetId);
      return importDataset(
        deps,
        job.accountId,
        dataset,
        { kind: 'zip', path },
        {
          format,
          signal,
          fence,
          sinceMs: job.createdAt,
          // What an earlier attempt added is passed over: that alone must not give it all its attempts again.
          onProgress: (done, total, hasAdded) => progress({ stage: 'importing', done, total }, hasAdded),
        },
      );
    };
    try {
      const report = await withFile(imports, blobId, importZip);
      if (report === null) throw new JobFailure('the zip is there no longer: send it again');
      return toResult(report);
    } catch (error) {
      if (error instanceof JobFailure) throw error;
      signal.throwIfAborted();
      if (error instanceof FormatError) throw new JobFailure(error.message, { cause: error });
      if (error instanceof ServiceError && error.code === 'not_found') {
        throw new JobFailure('the dataset was deleted meanwhile', { cause: error });
      }
      if (error instanceof ServiceError && error.code === 'no_space') {
        throw new JobFailure(error.message, { cause: error });
      }
      // Its own words may name what is ours.
      throw new Error('the service failed at it, and its log says why', { cause: error });
    }
  };
  return { kind: importKind, maxAttempts: 3, concurrency: 2, maxPerAccount: 1, run };
}

/** As its owner reads it. */
function toResult({ findings, leftOut, ...counts }: ImportReport) {
  return {
    ...counts,
    findings: findings.map(({ problem, file, imageId, message }) => ({
      problem,
      file,
      image_id: imageId,
      message,
    })),
    left_out: leftOut,
  };
}

/** Deletes zips whose import has ended; answers how many. */
export async function sweepEndedImports(
  { query }: Pick<Database, 'query'>,
  imports: Pick<BlobStore, 'list' | 'remove'>,
): Promise<number> {
  const ended = await blobsOf(query.selectFrom('job').select('payload').where('ended_at', 'is not', null));
  let swept = 0;
  for await (const { id } of imports.list()) {
    if (!ended.has(id)) continue;
    await imports.remove(id);
    swept += 1;
  }
  return swept;
}

/** Zips of an account's imports, ended or not. */
export function namedImports({ query }: Pick<Database, 'query'>) {
  return async function* (accountId: number): AsyncIterable<readonly string[]> {
    yield [...(await blobsOf(query.selectFrom('job').select('payload').where('account_id', '=', accountId)))];
  };
}

/** Zips, which the jobs that import them name. */
export function sweptImports(
  { query }: Pick<Database, 'query'>,
  { list, placeOf }: Pick<BlobStore, 'list' | 'placeOf'>,
): SweptStore {
  return {
    name: 'imports',
    list,
    placeOf,
    async findNamed(ids) {
      const named = await blobsOf(query.selectFrom('job').select('payload'));
      return new Set(ids.filter((id) => named.has(id)));
    },
  };
}

/** The zips of imports among these jobs. */
async function blobsOf(jobs: SelectQueryBuilder<Schema, 'job', { payload: string }>): Promise<Set<string>> {
  const rows = await jobs.where('kind', '=', importKind).execute();
  const payloads = rows.map(({ payload }): unknown => JSON.parse(payload));
  return new Set(payloads.flatMap((payload) => (Value.Check(Payload, payload) ? [payload.blobId] : [])));
}
