import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Compilable } from 'kysely';
import type { Database } from '../storage/database.js';
import { StorageError, type StorageErrorCode } from '../storage/storage-error.js';
import { type CallEntry, checkEntry, createMergeCalls } from './merge-calls.js';

interface CallWriterDeps {
  readonly database: Pick<Database, 'query' | 'write' | 'isReady'>;
  /** Writes one entry as a unit of its own; throws where its call is refused. */
  readonly writeSingly: (entry: CallEntry) => Promise<void>;
}

/** As many as a commit of SQLite takes. */
const maxEntries = 512;
/** Of JSON in one statement: records of analyses are some kilobytes each. */
const maxCharacters = 4_000_000;
const maxWaiting = 10_000;
/** Of an entry whose batch was lost at its commit. */
const maxAttempts = 3;

interface Waiting {
  readonly entry: CallEntry;
  readonly resolve: (isGranted: boolean) => void;
  readonly reject: (error: unknown) => void;
  attempts: number;
}

/**
 * Writes what calls come to, many at once.
 * One batch is under way at a time, and the next takes what has gathered meanwhile: the row of an account is locked until a
 * commit is on disk, so that a commit for each call would be the limit of an account.
 */
export function createCallWriter({ database, writeSingly }: CallWriterDeps) {
  const { query } = database;
  const mergeCalls = createMergeCalls({ query });
  const queue: Waiting[] = [];
  let isRunning = false;

  /**
   * Locks the accounts first, so that the snapshot of the merged statement has their rows as the batch of another service left
   * them: otherwise it would look for newer versions of each after it had waited.
   */
  const writeMerged = async (entries: readonly CallEntry[]): Promise<ReadonlySet<number>> => {
    const results = await database.write([...lockAccounts(entries), mergeCalls(entries)], {
      units: entries.length,
    });
    return new Set(results.at(-1)?.rows.map(({ at }) => Number(at)));
  };
  const lockAccounts = (entries: readonly CallEntry[]): readonly Compilable[] => {
    const counting = entries.filter(({ isCounting }) => isCounting);
    if (counting.length === 0) return [];
    return [selectAccounts(counting).forNoKeyUpdate()];
  };
  const selectAccounts = (entries: readonly CallEntry[]) => {
    const ids = [...new Set(entries.map(({ call }) => call.accountId))];
    return query.selectFrom('account').select('id').where('id', 'in', ids).orderBy('id');
  };

  /**
   * Which of the entries are recorded, by their ids. It waits for the lost transaction, which may still hold the accounts
   * until the server has noticed; FOR UPDATE, as an insert holds no more than the key of its account.
   */
  const findRecorded = async (entries: readonly CallEntry[]): Promise<ReadonlySet<string>> => {
    const fileids = entries.flatMap(({ analysis }) => (analysis ? [analysis.fileid] : []));
    if (fileids.length === 0) return new Set();
    const [, found] = await database.write([
      selectAccounts(entries).forUpdate(),
      query.selectFrom('analysis').select('fileid').where('fileid', 'in', fileids),
    ]);
    return new Set(found?.rows.map(({ fileid }) => String(fileid)));
  };

  /** The commit was not answered: what has its row is done, and what has none was not counted and may be written again. */
  const settleLost = async (batch: readonly Waiting[], lost: StorageError): Promise<void> => {
    const recorded = await findRecorded(batch.map(({ entry }) => entry)).catch(() => null);
    const again: Waiting[] = [];
    for (const waiting of batch) {
      const { analysis } = waiting.entry;
      if (analysis && recorded?.has(analysis.fileid)) waiting.resolve(true);
      else if (analysis && recorded && waiting.attempts < maxAttempts) again.push(waiting);
      else waiting.reject(lost);
    }
    queue.unshift(...again);
  };

  const writeEach = async (batch: readonly Waiting[]): Promise<void> => {
    await Promise.all(
      batch.map(({ entry, resolve, reject }) => writeSingly(entry).then(() => resolve(true), reject)),
    );
  };

  /** Whether no entry is the cause, and each would meet the same alone. A lock that one of them waited for is no such cause. */
  const isOfAll = (error: unknown): boolean =>
    error instanceof StorageError &&
    (ofAll.has(error.code) || (error.code === 'busy' && database.isReady() !== true));

  const writeBatch = async (batch: readonly Waiting[]): Promise<void> => {
    for (const waiting of batch) waiting.attempts += 1;
    try {
      const granted = await writeMerged(batch.map(({ entry }) => entry));
      for (const [at, { entry, resolve }] of batch.entries()) resolve(!entry.isCounting || granted.has(at));
    } catch (error) {
      if (error instanceof StorageError && error.code === 'lost') await settleLost(batch, error);
      else if (isOfAll(error)) for (const { reject } of batch) reject(error);
      else await writeEach(batch);
    }
  };

  const run = async (): Promise<void> => {
    isRunning = true;
    while (queue.length > 0) {
      // Callers of the batch before go on first, and may have their next one in this.
      await nextTurn();
      await writeBatch(queue.splice(0, countThatFit(queue)));
    }
    isRunning = false;
  };

  return {
    /**
     * Resolves when the entry is on disk, to false when the call was to be counted and was refused: then nothing of it is.
     * Throws what `writeSingly` throws, or a StorageError.
     */
    async write(entry: CallEntry): Promise<boolean> {
      checkEntry(entry);
      if (queue.length >= maxWaiting) {
        throw new StorageError('overloaded', 'The database is not keeping up; try again.');
      }
      const written = new Promise<boolean>((resolve, reject) => {
        queue.push({ entry, resolve, reject, attempts: 0 });
      });
      if (!isRunning) void run();
      return await written;
    },
  };
}

const ofAll: ReadonlySet<StorageErrorCode> = new Set(['full', 'access', 'damaged', 'overloaded', 'closed']);

function countThatFit(queue: readonly Waiting[]): number {
  let characters = 0;
  for (const [count, { entry }] of queue.slice(0, maxEntries).entries()) {
    characters += entry.analysis?.record.length ?? 0;
    if (count > 0 && characters > maxCharacters) return count;
  }
  return Math.min(queue.length, maxEntries);
}
