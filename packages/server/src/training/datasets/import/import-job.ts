import type { SelectQueryBuilder } from 'kysely';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Clock } from '../../../core/clock.js';
import type { Logger } from '../../../core/logger.js';
import { ServiceError } from '../../../core/service-error.js';
import type { Spool } from '../../../intake/spool.js';
import { JobFailure, type JobKind } from '../../../service/jobs/job.js';
import { type BlobStore, withFile } from '../../../storage/blobs/blob-store.js';
import type { Database } from '../../../storage/database.js';
import type { SweptStore } from '../../../storage/quarantine/sweep-store.js';
import type { Schema } from '../../../storage/schema.js';
import type { DatasetStore } from '../dataset-store.js';
import type { Finding } from '../findings.js';
import { FormatError, readableFormats } from '../formats/plan.js';
import { type FindingsFile, type FindingsFileSize, openFindingsFile } from './findings-file.js';
import { type ImportReport, importDataset } from './import-dataset.js';
import type { ImportDeps } from './import-image.js';

export const importKind = 'dataset-import';

export const ImportPayload = Type.Object({
  datasetId: Type.Integer(),
  /** The zip, among the imports. */
  blobId: Type.String(),
  /** What its findings become, among the imports; jobs of earlier versions have none. */
  findingsId: Type.Optional(Type.String()),
  format: Type.Union([Type.Enum([...readableFormats]), Type.Null()]),
  /** The greatest id of the dataset's classes before; those of the import have greater ones. Jobs of earlier versions have none. */
  lastClassId: Type.Optional(Type.Integer()),
});

export type ImportPayload = Static<typeof ImportPayload>;

interface ImportJobDeps extends ImportDeps {
  readonly store: DatasetStore;
  readonly imports: Pick<BlobStore, 'hold' | 'list' | 'remove' | 'write'>;
  readonly clock: Clock;
  readonly database: Pick<Database, 'query'>;
  readonly spool: Pick<Spool, 'createFile' | 'of'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Imports a zip that was uploaded; its result is an `ImportReport`. The zip goes once the end of the job is on disk: with the
 * next import or sweep.
 */
export function createImportJob(deps: ImportJobDeps): JobKind {
  const { store, imports, database, spool, clock } = deps;
  const run: JobKind['run'] = async (job, { signal, fence, progress }) => {
    const payload: unknown = job.payload;
    if (!Value.Check(ImportPayload, payload)) throw new JobFailure('the job was written by another version');
    const { datasetId, blobId, findingsId, format, lastClassId } = payload;
    await sweepEndedImports(database, imports, clock(), recentMs);
    const importInto = async (path: string, findings: FindingsFile): Promise<ImportReport> => {
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
          job: job.id,
          // Without progress no earlier attempt is known, and a class that is later than the job may be a user's.
          lastClassId: job.progress.stage === null ? undefined : lastClassId,
          onFinding: findings.add,
          // What an earlier attempt added is passed over: that alone must not give it all its attempts again.
          onProgress: (done, total, hasAdded) => progress({ stage: 'importing', done, total }, hasAdded),
        },
      );
    };
    const importZip = async (path: string) => {
      const findings = await openFindingsFile(spool.of(job.accountId));
      try {
        const report = await importInto(path, findings);
        const size = findingsId === undefined ? null : await keepFindings(deps, findingsId, findings);
        return toResult(report, size);
      } finally {
        await findings.dispose();
      }
    };
    try {
      const result = await withFile(imports, blobId, importZip);
      if (result === null) throw new JobFailure('the zip is there no longer: send it again');
      return result;
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

/** Null where they cannot be kept, whatever the reason: the import itself is done. */
async function keepFindings(
  { imports, logger }: Pick<ImportJobDeps, 'imports' | 'logger'>,
  findingsId: string,
  findings: FindingsFile,
): Promise<FindingsFileSize | null> {
  try {
    const size = await findings.end();
    // An earlier attempt may have ended before its job did.
    await imports.remove(findingsId);
    await imports.write(findingsId, findings.read());
    return size;
  } catch (error) {
    logger.warn({ err: error }, 'findings of an import not kept');
    return null;
  }
}

/** As its owner reads it. */
function toResult({ findings, kinds, leftOut, ...counts }: ImportReport, size: FindingsFileSize | null) {
  return {
    ...counts,
    kinds: kinds.map(({ examples, ...kind }) => ({ ...kind, examples: examples.map(toFinding) })),
    findings: findings.map(toFinding),
    left_out: leftOut,
    findings_file: size && { rows: size.rows, left_out: size.leftOut },
  };
}

function toFinding({ problem, file, imageId, labels, message }: Finding) {
  return { problem, file, image_id: imageId, labels, message };
}

/** How long the findings of an import are kept. */
const findingsKeptMs = 30 * 86_400_000;

/** An import deletes the zips of those that ended so long before it; the sweep of every hour deletes the others. */
const recentMs = 2 * 3_600_000;

/**
 * Deletes zips whose import has ended, and findings of those that ended long ago; answers how many.
 * @param withinMs only those that ended so long before; all unless given
 */
export async function sweepEndedImports(
  { query }: Pick<Database, 'query'>,
  imports: Pick<BlobStore, 'list' | 'remove'>,
  nowMs: number,
  withinMs?: number,
): Promise<number> {
  const all = query.selectFrom('job').where('ended_at', 'is not', null);
  const jobs = withinMs === undefined ? all : all.where('ended_at', '>', nowMs - withinMs);
  const ended = new Set<string>();
  for await (const { blobId } of payloadsOf(jobs)) ended.add(blobId);
  const old = jobs.where('ended_at', '<', nowMs - findingsKeptMs);
  for await (const { findingsId } of payloadsOf(old)) if (findingsId) ended.add(findingsId);
  let swept = 0;
  if (ended.size === 0) return swept;
  for await (const { id } of imports.list()) {
    if (!ended.has(id)) continue;
    await imports.remove(id);
    swept += 1;
  }
  return swept;
}

/** Zips and findings of an account's imports, ended or not. */
export function namedImports({ query }: Pick<Database, 'query'>) {
  return async function* (accountId: number): AsyncIterable<readonly string[]> {
    yield [...(await blobsOf(query.selectFrom('job').where('account_id', '=', accountId)))];
  };
}

/** How long the names of imports are taken as they were read, unless files are listed anew: a sweep asks for each 300 files. */
const namesKeptMs = 60_000;

/** Zips and findings, which the jobs that import them name. All jobs are read once a listing of the files. */
export function sweptImports(
  { query }: Pick<Database, 'query'>,
  { list, placeOf }: Pick<BlobStore, 'list' | 'placeOf'>,
): SweptStore {
  let read: { readonly names: Promise<ReadonlySet<string>>; readonly startedMs: number } | null = null;
  const readNames = () => {
    const names = blobsOf(query.selectFrom('job'));
    const own = { names, startedMs: performance.now() };
    read = own;
    names.catch(() => {
      if (read === own) read = null;
    });
    return names;
  };
  return {
    name: 'imports',
    list() {
      // A file that is listed now may be named by a job that is newer than what was read.
      read = null;
      return list();
    },
    placeOf,
    async findNamed(ids) {
      const isRecent = read !== null && performance.now() - read.startedMs < namesKeptMs;
      const named = await (isRecent && read !== null ? read.names : readNames());
      return new Set(ids.filter((id) => named.has(id)));
    },
  };
}

type Jobs = SelectQueryBuilder<Schema, 'job', unknown>;

/** The zips and findings of imports among these jobs. */
async function blobsOf(jobs: Jobs): Promise<Set<string>> {
  const blobs = new Set<string>();
  for await (const { blobId, findingsId } of payloadsOf(jobs)) {
    blobs.add(blobId);
    if (findingsId) blobs.add(findingsId);
  }
  return blobs;
}

/** Payloads read at once: a millisecond. */
const payloadsAtOnce = 200;

async function* payloadsOf(jobs: Jobs): AsyncGenerator<ImportPayload, void, undefined> {
  for (let after = ''; ; ) {
    const rows = await jobs
      .select(['id', 'payload'])
      .where('kind', '=', importKind)
      .where('id', '>', after)
      .orderBy('id')
      .limit(payloadsAtOnce)
      .execute();
    for (const { payload: text } of rows) {
      const payload: unknown = JSON.parse(text);
      if (Value.Check(ImportPayload, payload)) yield payload;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < payloadsAtOnce) return;
    after = last.id;
  }
}
