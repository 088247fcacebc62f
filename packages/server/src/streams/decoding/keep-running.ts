import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../core/clock.js';
import { StreamFailure } from '../sources/stream-source.js';

/** How one run ended. */
export interface RunEnd {
  /** Null: it is started again at once, unless that happens again and again. */
  readonly failure: StreamFailure | null;
  /** For how long it did what it is for. */
  readonly steadyMs: number;
}

interface KeepRunningOptions {
  /** One run. It ends soon after the signal aborts. A rejection is a failure of a run that did nothing. */
  readonly run: (signal: AbortSignal) => Promise<RunEnd>;
  readonly onAway: (failure: StreamFailure, retryAtMs: number) => void;
  /** First and longest time until the next attempt. */
  readonly firstRetryMs: number;
  readonly maxRetryMs: number;
  readonly clock: Clock;
}

/** After so long a time without failure, the next one is a first one again. */
const steadyEnoughMs = 60_000;

/** A run that was as long is no reason for a pause. */
const settledMs = 10_000;
const restless = new StreamFailure('protocol', 'the source changes its images again and again');

/** Runs something for ever, with pauses that double with each failure and differ a little between streams. */
export function keepRunning(options: KeepRunningOptions) {
  const { run, onAway, firstRetryMs, maxRetryMs, clock } = options;
  const stop = new AbortController();
  let restarts = 0;
  const runAll = async () => {
    let failures = 0;
    let shortRuns = 0;
    while (!stop.signal.aborted) {
      const { failure: noticed, steadyMs } = await run(stop.signal).catch(toRunEnd);
      if (stop.signal.aborted) return;
      restarts += 1;
      shortRuns = steadyMs >= settledMs ? 0 : shortRuns + 1;
      // Each run is a process; the first change of a source costs no time.
      const failure = noticed ?? (shortRuns > 1 ? restless : null);
      if (failure === null) continue;
      failures = steadyMs >= steadyEnoughMs ? 1 : failures + 1;
      const jitter = 0.8 + 0.4 * Math.random();
      const delayMs = Math.round(
        Math.min(maxRetryMs, firstRetryMs * 2 ** Math.min(failures - 1, 20)) * jitter,
      );
      onAway(failure, clock() + delayMs);
      await wait(delayMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  };
  const finished = runAll();
  return {
    /** Ends that were followed by another run, or will be. */
    get restarts(): number {
      return restarts;
    },
    /** Resolves when the present run is over. */
    async close() {
      stop.abort();
      await finished;
    },
  };
}

function toRunEnd(error: unknown): RunEnd {
  const failure =
    error instanceof StreamFailure
      ? error
      : new StreamFailure('decoder', 'the stream could not be opened', { cause: error });
  return { failure, steadyMs: 0 };
}
