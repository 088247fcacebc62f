import { EngineError } from '@lynceus/engine';
import type { Compilable } from 'kysely';
import type { WithKeyLock } from '../../core/keyed-mutex.js';
import { ServiceError } from '../../core/service-error.js';
import type { Job, JobControl, JobKind } from '../../service/jobs/job.js';
import type { Database } from '../../storage/database.js';
import type { Drop } from '../drop.js';
import type { Drops } from '../drops.js';
import { dropFileKind } from '../files/file-jobs.js';
import { type FileRow, insertEvent, updateFile } from '../files/file-rows.js';
import type { FileKind } from '../keywords/file-kind.js';
import { KeywordError } from '../keywords/keyword-error.js';
import { type DeliverDeps, deliverFile } from './deliver-file.js';
import { endAsDone, endAsFailed } from './end-file.js';
import { outputOf } from './output.js';
import { FileFailure, isLastingKeywordError, type PredictDeps, predictFile } from './predict-file.js';
import { findImageOfSidecar, isReceivedSidecar } from './received-sidecars.js';
import { type WriteDeps, writeAsItIs, writeFileKeywords, writeLateSidecar } from './write-file.js';

interface FileWorkDeps extends PredictDeps, WriteDeps, DeliverDeps {
  readonly drops: Pick<Drops, 'read' | 'destination' | 'keepHostKey'>;
  /** For so long a step that fails is tried again, with longer and longer pauses. */
  readonly retryForMs: number;
  /** Files at once. */
  readonly concurrency: number;
  /** Of files, in all services. */
  readonly withKeyLock: WithKeyLock;
  /** A file that can get no keywords will be delivered as it came. */
  readonly onWithoutKeywords: (file: FileWithoutKeywords) => void;
}

export interface FileWithoutKeywords {
  readonly dropId: number;
  readonly fileId: string;
  readonly reason: string;
}

/**
 * From arrival to `done` or `failed`: look, write keywords, send on. Each step ends with a unit that moves the file's state
 * on; begun again at any point, what is behind is not done twice.
 */
export function createFileWork(deps: FileWorkDeps): JobKind {
  const { database, clock, drops, concurrency, retryForMs, withKeyLock, onWithoutKeywords } = deps;

  const readRow = async (job: Job): Promise<FileRow | undefined> =>
    await database.query
      .selectFrom('drop_file')
      .selectAll()
      .where('id', '=', job.subject)
      .where('account_id', '=', job.accountId)
      .executeTakeFirst();

  /** For a file that can get no keywords: it is sent on as it came where its drop wants that, and else has failed. */
  const endWithoutKeywords = async (
    { settings }: Drop,
    row: FileRow,
    reason: string,
    fence: JobControl['fence'],
  ): Promise<void> => {
    const isDelivered = settings.otherFiles === 'deliver' && row.state !== 'written';
    if (!isDelivered) return endAsFailed(deps, row, reason, fence);
    const isWritten = await writeAsItIs(deps, row, reason, fence);
    if (isWritten) onWithoutKeywords({ dropId: row.drop_id, fileId: row.id, reason });
  };

  /** Throws, and it is tried again; or gives the file up, where enough attempts were made. */
  const tryLater = async (row: FileRow, error: unknown, fence: JobControl['fence']): Promise<void> => {
    const message = error instanceof Error ? error.message : String(error);
    const now = clock();
    const since = row.failing_since ?? now;
    if (now - since >= retryForMs) return endAsFailed(deps, row, message, fence);
    const interrupts = isInterruption(error);
    if (interrupts && (await countInterruptions(database, row.id)) + 1 >= maxInterruptions) {
      return endAsFailed(
        deps,
        row,
        `${message}, in ${maxInterruptions} attempts: something in the file crashes what reads it; save it again with another program and send that`,
        fence,
      );
    }
    await database.write([
      updateFile(database, row.id, [row.state], { error: message, failing_since: since }),
      ...(interrupts ? [insertInterruption(database, row, now, message)] : []),
      ...fence,
    ]);
    throw error;
  };

  /** Gives a file up when no further attempt can help or enough were made; else throws, and it is tried again. */
  const fail = async (
    drop: Drop,
    row: FileRow,
    error: unknown,
    fence: JobControl['fence'],
  ): Promise<void> => {
    const isLasting = error instanceof FileFailure || isLastingKeywordError(error);
    if (!isLasting) return tryLater(row, error, fence);
    try {
      await endWithoutKeywords(drop, row, error.message, fence);
    } catch (unwritten) {
      // As where a disk is full: what ails the file has nothing to do with it.
      await tryLater(row, unwritten, fence);
    }
  };

  /** The image's write step has taken the sidecar in, unless the image came late, not at all, or takes keywords itself. */
  const workOnSidecar = async (
    drop: Drop,
    row: FileRow,
    control: Pick<JobControl, 'signal' | 'fence'>,
  ): Promise<void> => {
    const image = await findImageOfSidecar(deps, row);
    if (image !== null && ['receiving', 'arrived', 'predicted'].includes(image.state)) {
      throw new Error(`waits for its image ${image.name}`);
    }
    const output = image === null ? null : outputOf(image);
    if (output !== null && output.field === 'sidecar') {
      return writeLateSidecar(deps, drop, row, output, control);
    }
    return endWithoutKeywords(drop, row, `it is a sidecar, and ${whyUnused(image)}`, control.fence);
  };

  const work = async (job: Job, { signal, fence }: Pick<JobControl, 'signal' | 'fence'>): Promise<null> => {
    // Only what this attempt wrote itself was surely never sent.
    let isFresh = false;
    // Of the file as it was then: its client may take it back and send another under its name.
    let known: { readonly kind: FileKind; readonly modifiedAt: number } | null = null;
    for (;;) {
      const row = await readRow(job);
      if (row === undefined) return null;
      signal.throwIfAborted();
      const drop = await readDrop(drops, row);
      if (drop === null) return null;
      try {
        if (row.state === 'arrived' && (await isReceivedSidecar(deps.bytes, row))) {
          await workOnSidecar(drop, row, { signal, fence });
        } else if (row.state === 'arrived') {
          known = {
            kind: await predictFile(deps, drop, row, { signal, fence }),
            modifiedAt: row.modified_at,
          };
        } else if (row.state === 'predicted') {
          const kind = known?.modifiedAt === row.modified_at ? known.kind : null;
          await writeFileKeywords(deps, drop, row, kind, { signal, fence });
        } else if (row.state === 'written') {
          const where = await deliverFile(deps, job.accountId, drop, row, !isFresh, signal);
          await endAsDone(deps, row, where, fence);
        } else return null;
      } catch (error) {
        signal.throwIfAborted();
        await fail(drop, row, error, fence);
      }
      isFresh = row.state !== 'written';
    }
  };

  return {
    kind: dropFileKind,
    // How long it is tried is counted by the file.
    maxAttempts: Number.MAX_SAFE_INTEGER,
    concurrency,
    isForgotten: true,
    // A client that takes a file back and sends it again, or a clock that is set forward, starts a second job on it: both would
    // send it.
    run: (job, { signal, fence }) =>
      withKeyLock(`drop-file ${job.subject}`, (lost) =>
        work(job, { fence, signal: AbortSignal.any([signal, lost]) }),
      ),
  };
}

function whyUnused(image: FileRow | null): string {
  if (image === null) return 'its image did not come';
  return image.state === 'failed'
    ? `its image ${image.name} failed`
    : `${image.name} has its keywords inside`;
}

/** Null: it was deleted meanwhile, and its files go with it. */
async function readDrop(drops: Pick<Drops, 'read'>, { account_id, drop_id }: FileRow): Promise<Drop | null> {
  try {
    return await drops.read(account_id, drop_id);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return null;
    throw error;
  }
}

/** So often a file may crash the process that works on it, or time out, before the file is blamed. */
const maxInterruptions = 3;

const ofEngine: ReadonlySet<string> = new Set(['process-crashed', 'memory', 'timeout']);
const ofExiftool: ReadonlySet<string> = new Set(['interrupted', 'timed-out']);

/** Whether the process that worked on a file crashed or timed out. */
function isInterruption(error: unknown): boolean {
  if (error instanceof KeywordError) return ofExiftool.has(error.code);
  const cause = error instanceof Error ? error.cause : undefined;
  return [error, cause].some((each) => each instanceof EngineError && ofEngine.has(each.code));
}

/** Since the file arrived or was last retried. */
async function countInterruptions({ query }: Pick<Database, 'query'>, fileId: string): Promise<number> {
  const events = await query
    .selectFrom('drop_event')
    .select(['what', 'at'])
    .where('file_id', '=', fileId)
    .where('what', 'in', ['interrupted', 'retried'])
    .execute();
  const since = Math.max(0, ...events.filter((event) => event.what === 'retried').map(({ at }) => at));
  return events.filter((event) => event.what === 'interrupted' && event.at >= since).length;
}

function insertInterruption(
  database: Pick<Database, 'query'>,
  { id, account_id }: FileRow,
  at: number,
  detail: string,
): Compilable {
  return insertEvent(database, account_id, { fileId: id, at, what: 'interrupted', detail });
}
