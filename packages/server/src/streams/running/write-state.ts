import type { Clock } from '../../core/clock.js';
import type { Database } from '../../storage/database.js';
import { StorageError } from '../../storage/storage-error.js';
import type { StreamState } from '../../storage/tables/streams.js';
import type { StreamHold } from './hold-stream.js';

/** How a stream is doing. */
export interface StreamStatus {
  readonly state: StreamState;
  /** For its owner; null while all is well. */
  readonly reason: string | null;
  /** Of the frames, in pixels. */
  readonly width: number | null;
  readonly height: number | null;
  /** Milliseconds since 1970. */
  readonly lastFrameAtMs: number | null;
  readonly analysedFps: number;
}

/** Writes how a stream is doing: changes at once, figures and the sign of life every few seconds. */
export type StateWriter = ReturnType<typeof createStateWriter>;

interface StateWriterDeps {
  readonly database: Pick<Database, 'query' | 'write'>;
  readonly clock: Clock;
  readonly hold: Pick<StreamHold, 'fence'>;
  readonly stream: { readonly accountId: number; readonly streamId: number };
  readonly onFailure: (error: unknown) => void;
  readonly intervalMs?: number;
}

const usualIntervalMs = 5000;
/** One that has nothing new is not forgotten: after a minute without a sign a stream counts as run by nobody. */
const longestIntervalMs = 20_000;

export function createStateWriter(deps: StateWriterDeps) {
  const { database, clock, hold, stream, onFailure, intervalMs = usualIntervalMs } = deps;
  const { query } = database;
  let status: StreamStatus = {
    ...{ state: 'connecting', reason: null, width: null, height: null, lastFrameAtMs: null },
    analysedFps: 0,
  };
  let since = clock();
  let written: StreamStatus | null = null;
  let writtenMs = Number.NEGATIVE_INFINITY;
  let writing: Promise<void> | undefined;
  let isClosed = false;

  const write = async (): Promise<void> => {
    const now = status;
    const columns = {
      state: now.state,
      reason: now.reason,
      since: Math.round(since),
      analysed_millifps: Math.round(now.analysedFps * 1000),
      width: now.width,
      height: now.height,
      last_frame_at: now.lastFrameAtMs === null ? null : Math.round(now.lastFrameAtMs),
      updated_at: clock(),
    };
    writtenMs = performance.now();
    try {
      await database.write([
        query
          .insertInto('stream_state')
          .values({ account_id: stream.accountId, stream_id: stream.streamId, ...columns })
          .onConflict((conflict) => conflict.columns(['account_id', 'stream_id']).doUpdateSet(columns)),
        ...hold.fence(),
      ]);
      written = now;
    } catch (error) {
      // The stream was deleted: it has no state any more.
      if (error instanceof StorageError && error.code === 'constraint') return end();
      onFailure(error);
    }
  };
  const isDue = (): boolean => {
    const agoMs = performance.now() - writtenMs;
    if (written === null || isNews(written, status)) return agoMs >= Math.min(intervalMs, 500);
    return agoMs >= (written === status ? longestIntervalMs : intervalMs);
  };
  const look = () => {
    if (isClosed || !isDue()) return;
    writing ??= write().finally(() => {
      writing = undefined;
    });
  };
  const timer = setInterval(look, Math.min(intervalMs, 250)).unref();
  const end = () => {
    isClosed = true;
    clearInterval(timer);
  };

  return {
    get status(): StreamStatus {
      return status;
    },
    set(change: Partial<StreamStatus>) {
      const next = { ...status, ...change };
      if (next.state !== status.state) since = clock();
      status = next;
      look();
    },
    /** Resolves when what was set is written; the last before the end. */
    async close() {
      end();
      await writing;
      if (written !== status) await write();
    },
    /** Writes no more. */
    discard: end,
  };
}

/** What is written before the interval is over. */
function isNews(before: StreamStatus, now: StreamStatus): boolean {
  return before.state !== now.state || before.reason !== now.reason || before.width !== now.width;
}
