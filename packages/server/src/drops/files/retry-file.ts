import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../core/service-error.js';
import type { Jobs } from '../../service/jobs/jobs.js';
import type { Database } from '../../storage/database.js';
import { StorageError } from '../../storage/storage-error.js';
import type { DropFileState } from '../../storage/tables/drops.js';
import { outputOf } from '../pipeline/output.js';
import type { FileBytes } from './file-bytes.js';
import { dropFileKind } from './file-jobs.js';
import { partId } from './file-parts.js';
import { photos, readFileRow } from './file-records.js';
import { type DropRef, type FileRow, filesOf, insertEvent, updateFile } from './file-rows.js';

interface RetryDeps {
  readonly database: Database;
  readonly clock: () => number;
  readonly bytes: Pick<FileBytes, 'sizeOf' | 'remove'>;
  readonly jobs: Pick<Jobs, 'insert' | 'wake'>;
}

/** The work that gave a file up ends a moment after the file's state says so; so often that is waited for. */
const maxAttempts = 20;
const pauseMs = 100;
/** In one request. */
const maxRetried = 2000;
/** At once. */
const batchSize = 20;

/** A failed file goes on from where it stood. Throws `conflict` for one that has not failed, and `not_found`. */
export async function retryFile(deps: RetryDeps, drop: DropRef, id: string): Promise<void> {
  const row = await readFileRow(deps.database, drop, id);
  if (row.state !== 'failed') {
    throw new ServiceError('conflict', `the file is ${row.state}: only one that failed can be tried again`);
  }
  await putBack(deps, drop, row);
  deps.jobs.wake();
}

/** All that failed, the oldest first; at most 2000 at once. Files whose bytes are gone stay as they are. */
export async function retryFailed(
  deps: RetryDeps,
  drop: DropRef,
): Promise<{ readonly files: number; readonly left: number }> {
  const failed = await photos(filesOf(deps.database, drop))
    .where('state', '=', 'failed')
    .orderBy('ended_at')
    .limit(maxRetried)
    .execute();
  let files = 0;
  for (let at = 0; at < failed.length; at += batchSize) {
    const some = failed.slice(at, at + batchSize);
    const results = await Promise.allSettled(some.map((row) => putBack(deps, drop, row)));
    for (const result of results) {
      if (result.status === 'fulfilled') files += 1;
      else if (!(result.reason instanceof ServiceError)) throw result.reason;
    }
    deps.jobs.wake();
  }
  const { count } = await photos(filesOf(deps.database, drop))
    .clearSelect()
    .select((from) => from.fn.countAll<number>().as('count'))
    .where('state', '=', 'failed')
    .executeTakeFirstOrThrow();
  return { files, left: Number(count) };
}

async function putBack(deps: RetryDeps, { accountId }: DropRef, row: FileRow): Promise<void> {
  const { database, clock, bytes, jobs } = deps;
  const state = await stateToGoOnFrom(bytes, row);
  const reasonId = partId(row.id, 'reason');
  for (let attempt = 1; ; attempt += 1) {
    const now = clock();
    const job = { kind: dropFileKind, subject: row.id, payload: null, folderUid: row.folder_uid };
    try {
      const [changed] = await database.write([
        updateFile(database, row.id, ['failed'], {
          state,
          area: 'incoming',
          parent: row.came_parent ?? '',
          name: row.came_name ?? row.name,
          came_parent: null,
          came_name: null,
          ended_at: null,
          error: null,
          failing_since: null,
          modified_at: Math.max(now, row.modified_at + 1),
        }),
        database.query.deleteFrom('drop_file').where('id', '=', reasonId),
        insertEvent(database, accountId, { fileId: row.id, at: now, what: 'retried' }),
        jobs.insert(accountId, job).statement,
      ]);
      if (changed?.changes !== 1) {
        throw new ServiceError('conflict', 'the file was tried again or deleted meanwhile');
      }
      break;
    } catch (error) {
      const isBusy = error instanceof StorageError && error.code === 'unique';
      if (!isBusy) throw error;
      if (attempt === maxAttempts) {
        throw new ServiceError('conflict', 'the file is being worked on: try again in a moment', {
          cause: error,
        });
      }
      await sleep(pauseMs);
    }
  }
  await bytes.remove(reasonId);
}

/** Behind the last step whose outcome is still on disk. Throws `conflict` where the file itself is not. */
async function stateToGoOnFrom(bytes: Pick<FileBytes, 'sizeOf'>, row: FileRow): Promise<DropFileState> {
  if ((await bytes.sizeOf(row.id)) !== row.size_bytes) {
    throw new ServiceError('conflict', 'the bytes of this file are gone: send it again');
  }
  const output = outputOf(row);
  if (output !== null) {
    const sizes = await Promise.all(output.files.map(({ part }) => bytes.sizeOf(partId(row.id, part))));
    if (output.files.every(({ sizeBytes }, index) => sizes[index] === sizeBytes)) return 'written';
  }
  return row.labels === null ? 'arrived' : 'predicted';
}
