import type { Logger } from '../core/logger.js';

/** A service that was put together and can be started and stopped. */
export interface Service {
  start(): Promise<void>;
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
}

/** Runs a service until SIGTERM or SIGINT. Answers the exit code: 0 after an orderly stop, 1 when it could not start. */
export async function runService({ build, logger, flushLog, print }: RunOptions): Promise<number> {
  const dieOfFault = (error: unknown) => {
    // The state of the process is unknown now; what was acknowledged is on disk.
    logger.fatal({ err: error }, 'a fault of the service; it ends');
    flushLog();
    process.exit(1);
  };
  process.on('uncaughtException', dieOfFault);
  const asked = waitForStopSignal(flushLog);
  try {
    const service = await build();
    const stopped = asked.promise.then(async (signal) => {
      logger.info({ signal }, 'stopping');
      await service.stop();
    });
    await service.start();
    if (!asked.fired()) print(service.banner());
    await stopped;
    logger.info('stopped');
    return 0;
  } catch (error) {
    logger.debug({ err: error }, 'could not start');
    print(`lynceus: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  } finally {
    flushLog();
    asked.ignore();
    process.off('uncaughtException', dieOfFault);
  }
}

interface StopSignal {
  readonly promise: Promise<NodeJS.Signals>;
  fired(): boolean;
  ignore(): void;
}

/** The first signal asks for an orderly end; the second ends the process at once, which the database is made for. */
function waitForStopSignal(flushLog: () => void): StopSignal {
  let fired = false;
  let resolve: (signal: NodeJS.Signals) => void = () => {};
  const promise = new Promise<NodeJS.Signals>((resolvePromise) => {
    resolve = resolvePromise;
  });
  const onSignal = (signal: NodeJS.Signals) => {
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
    fired: () => fired,
    ignore() {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}
