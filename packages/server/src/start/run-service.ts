import { stopTimeoutMs } from '../core/lifecycle.js';
import type { Logger } from '../core/logger.js';
import { optimiseEarly } from './optimise-early.js';

/** A service that was put together and can be started and stopped. */
export interface Service {
  start(): Promise<void>;
  /** From now on it is not ready, and serves as before. */
  announceStop(): void;
  stop(): Promise<void>;
  /** What to print for the operator once it has started. */
  banner(): string;
}

export interface RunOptions {
  readonly build: () => Promise<Service>;
  readonly logger: Logger;
  /** Writes out what the logger still holds. */
  readonly flushLog: () => void;
  /** Prints for the operator, beside the log. */
  readonly print: (text: string) => void;
  /** From the signal until listeners close, so that balancers see that the service is not ready. */
  readonly drainDelayMs: number;
  /** Time that requests in progress get then. */
  readonly drainTimeoutMs: number;
  /** Time of the stop after that; `stopTimeoutMs` unless given. */
  readonly stopWithinMs?: number;
}

/** What the process gets beyond the time of its stop, to close its last handles. */
const graceMs = 1000;

/**
 * Runs a service until SIGTERM or SIGINT, then ends the process, whatever still runs in it. Sets the exit code: 0 after an orderly stop,
 * 1 when it could not start or not stop in its time.
 */
export async function runService(options: RunOptions): Promise<number> {
  process.exitCode = await run(options);
  // Work that ignores its signal would keep the process alive.
  setTimeout(() => process.exit(), graceMs).unref();
  return process.exitCode;
}

async function run(options: RunOptions): Promise<number> {
  const {
    build,
    logger,
    flushLog,
    print,
    drainDelayMs,
    drainTimeoutMs,
    stopWithinMs = stopTimeoutMs,
  } = options;
  const dieOfFault = (error: unknown) => {
    // The state of the process is unknown now; what was acknowledged is on disk.
    logger.fatal({ err: error }, 'a fault of the service; it ends');
    flushLog();
    process.exit(1);
  };
  process.on('uncaughtException', dieOfFault);
  const asked = waitForStopSignal(flushLog);
  let deadline: NodeJS.Timeout | undefined;
  asked.promise.then(() => {
    deadline = setTimeout(
      () => {
        logger.fatal('the service did not stop in its time; the process ends');
        flushLog();
        process.exit(1);
      },
      drainDelayMs + drainTimeoutMs + stopWithinMs + graceMs,
    );
  });
  try {
    const service = await build();
    let hasStarted = false;
    const stopped = asked.promise.then(async (signal) => {
      logger.info({ signal, drainDelayMs }, 'stopping');
      service.announceStop();
      // No balancer knows a service that never was ready.
      if (hasStarted && drainDelayMs > 0) await asked.delay(drainDelayMs);
      await service.stop();
    });
    const started = service.start().then(() => {
      hasStarted = true;
      optimiseEarly();
      if (!asked.fired()) print(service.banner());
    });
    // A component that is being started when the service stops may never end that.
    await Promise.race([started.then(() => stopped), stopped]);
    logger.info('stopped');
    return 0;
  } catch (error) {
    logger.debug({ err: error }, 'could not start');
    print(`lynceus: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  } finally {
    clearTimeout(deadline);
    flushLog();
    asked.ignore();
    process.off('uncaughtException', dieOfFault);
  }
}

/**
 * The first signal asks for an orderly end. A further one cuts a delay short; without a delay it ends the process at once, which the
 * database is made for.
 */
function waitForStopSignal(flushLog: () => void) {
  let fired = false;
  let endDelay: (() => void) | null = null;
  let resolve: (signal: NodeJS.Signals) => void = () => {};
  const promise = new Promise<NodeJS.Signals>((resolvePromise) => {
    resolve = resolvePromise;
  });
  const onSignal = (signal: NodeJS.Signals) => {
    if (endDelay) {
      endDelay();
      return;
    }
    if (fired) {
      flushLog();
      process.exit(signal === 'SIGINT' ? 130 : 143);
    }
    fired = true;
    resolve(signal);
  };
  const signals: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT'];
  for (const signal of signals) process.on(signal, onSignal);
  return {
    promise,
    fired: (): boolean => fired,
    /** Resolves after that time, or with the next signal. */
    async delay(delayMs: number) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolveDelay) => {
        endDelay = resolveDelay;
        timer = setTimeout(resolveDelay, delayMs);
      });
      clearTimeout(timer);
      endDelay = null;
    },
    ignore() {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}
