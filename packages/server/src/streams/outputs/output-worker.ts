import type { Clock } from '../../core/clock.js';
import type { Logger } from '../../core/logger.js';
import type { StreamMetrics } from '../../core/stream-metrics.js';
import { DeliveryError } from '../../delivery/destination.js';
import type { Database } from '../../storage/database.js';
import { explainForOwner } from './create-sender.js';
import { isWanted } from './event-message.js';
import { OutputChanged, type OutputCursor } from './output-cursor.js';
import type { WholeOutput } from './output-rows.js';
import { type OutgoingEvent, readEventsAfter } from './read-events.js';
import type { Sender } from './sender.js';

/** Delivers the events of one output in their order, each until the receiver has it or it is given up. */
export type OutputWorker = ReturnType<typeof startOutputWorker>;

interface OutputWorkerDeps {
  readonly database: Pick<Database, 'query'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly retry: RetryTimes;
  readonly metrics: Pick<StreamMetrics, 'countOutput'>;
}

export interface RetryTimes {
  /** An event is given up after so long. */
  readonly giveUpAfterMs: number;
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
  /** Attempts for an event that is refused as such. */
  readonly maxRefusals: number;
}

export const usualRetryTimes = { firstPauseMs: 1000, maxPauseMs: 300_000, maxRefusals: 5 };

interface WorkedOutput {
  readonly accountId: number;
  readonly id: number;
  readonly whole: WholeOutput;
  readonly cursor: OutputCursor;
  readonly sender: Sender;
  /** Of its lease. */
  readonly signal: AbortSignal;
}

/** Few, because an event in memory does not see its track hidden. */
const batchSize = 20;
/** After failures that are not the receiver's, such as of a database that is away. */
const maxOwnPauseMs = 5000;

export function startOutputWorker(output: WorkedOutput, deps: OutputWorkerDeps) {
  const { accountId, id, whole, cursor, sender } = output;
  const { database, clock, logger, retry, metrics } = deps;
  const { kind } = whole.settings;
  const stopped = new AbortController();
  const signal = AbortSignal.any([output.signal, stopped.signal]);
  const alarm = createAlarm(signal);
  let failures = 0;
  /** Of the next event. */
  let refusals = 0;

  const giveUp = async ({ seq }: OutgoingEvent, failure: DeliveryError): Promise<void> => {
    logger.warn({ output: id, accountId, seq, reason: failure.code }, 'an event was given up');
    metrics.countOutput(kind, 'given_up');
    await cursor.giveUp(seq, failure.message);
    refusals = 0;
  };
  const isTooLate = ({ at }: OutgoingEvent): boolean =>
    clock() - Math.max(cursor.failingSince ?? clock(), at) >= retry.giveUpAfterMs;
  /** Of a receiver that cannot even be connected to. */
  const giveUpLate = async (failure: DeliveryError): Promise<void> => {
    for (;;) {
      const batch = await readEventsAfter(database, accountId, cursor.seq, batchSize);
      for (const event of batch.events.filter((each) => isWanted(whole.settings, each))) {
        if (!isTooLate(event)) return;
        await giveUp(event, failure);
      }
      if (!batch.isFull) return;
      await cursor.skip(batch.upTo);
    }
  };

  const deliver = async (event: OutgoingEvent): Promise<void> => {
    try {
      await sender.send(event, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof DeliveryError)) throw error;
      const failure = explainForOwner(error, whole);
      refusals += failure.code === 'refused' ? 1 : 0;
      if (refusals < retry.maxRefusals && !isTooLate(event)) throw failure;
      return giveUp(event, failure);
    }
    refusals = 0;
    failures = 0;
    metrics.countOutput(kind, 'delivered');
    await cursor.advance(event.seq);
  };

  /** Answers whether an event was sent. */
  const deliverAll = async (): Promise<boolean> => {
    for (let hasSent = false; ; ) {
      const batch = await readEventsAfter(database, accountId, cursor.seq, batchSize);
      for (const event of batch.events) {
        signal.throwIfAborted();
        if (!isWanted(whole.settings, event)) continue;
        await deliver(event);
        hasSent = true;
      }
      if (batch.upTo > cursor.seq) await cursor.advance(batch.upTo);
      if (!batch.isFull) return hasSent;
    }
  };

  const pass = async () => {
    await sender.tend(signal).catch(async (error: unknown) => {
      if (error instanceof DeliveryError && !signal.aborted) await giveUpLate(explainForOwner(error, whole));
      throw error;
    });
    if ((await deliverAll()) && sender.tendEveryMs !== null) await sender.tend(signal);
    failures = 0;
    // A connection that works again, with nothing to send.
    if (cursor.failingSince !== null) await cursor.advance(cursor.seq);
  };

  /** How long to wait after a failure; null: the output is not this one's any more. */
  const handle = async (error: unknown): Promise<number | null> => {
    if (error instanceof OutputChanged) return null;
    failures += 1;
    if (error instanceof DeliveryError) {
      metrics.countOutput(kind, 'failed');
      await cursor.fail(explainForOwner(error, whole).message);
      return pauseAfter(failures, retry);
    }
    logger.warn({ err: error, output: id, accountId }, 'events of streams are sent later');
    return Math.min(maxOwnPauseMs, pauseAfter(failures, retry));
  };

  const run = async () => {
    while (!signal.aborted) {
      try {
        await pass();
        await alarm.wait(sender.tendEveryMs);
      } catch (error) {
        if (signal.aborted) return;
        const pauseMs = await handle(error).catch(handle);
        if (pauseMs === null) return;
        await alarm.sleep(pauseMs);
      }
    }
  };

  let hasEnded = false;
  const ended = run().finally(() => {
    hasEnded = true;
  });
  return {
    /** Resolves when it has ended, also by itself: the output was changed or is another's. */
    ended,
    get hasEnded(): boolean {
      return hasEnded;
    },
    /** There may be new events. */
    wake: () => alarm.ring(),
    /** Ends after what is being written; the sender is left to the caller. */
    async stop() {
      stopped.abort();
      await ended;
    },
  };
}

/** Doubles, with jitter: receivers that come back are not asked by everybody at once. */
function pauseAfter(failures: number, { firstPauseMs, maxPauseMs }: RetryTimes): number {
  const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** Math.min(20, failures - 1));
  return pauseMs / 2 + (Math.random() * pauseMs) / 2;
}

function createAlarm(signal: AbortSignal) {
  let hasRung = false;
  let wake: (() => void) | null = null;
  const pause = (ms: number | null, isWoken: boolean): Promise<void> =>
    new Promise((resolve) => {
      if (signal.aborted || (isWoken && hasRung)) return resolve();
      const timer = ms === null ? undefined : setTimeout(end, ms);
      if (isWoken) wake = end;
      signal.addEventListener('abort', end, { once: true });
      function end() {
        wake = null;
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      }
    });
  return {
    ring() {
      hasRung = true;
      wake?.();
    },
    /** Until it rings, has rung since the last wait, the time is over (null: none), or the signal fires. */
    async wait(ms: number | null) {
      await pause(ms, true);
      hasRung = false;
    },
    /** The same, whether it rings or not. */
    sleep: (ms: number) => pause(ms, false),
  };
}
