import type { Component } from '../core/lifecycle.js';
import type { Logger } from '../core/logger.js';
import type { RunningPair } from '../storage/identity/running-pair.js';
import type { Sweeps } from '../storage/sweeps/sweep.js';

const everyMs = 3_600_000;

interface SweepComponentDeps {
  /** Whether the database is still the one that names the files of the folder. */
  readonly pair: Pick<RunningPair, 'check'>;
  readonly logger: Pick<Logger, 'error'>;
  /** Calls when this service begins to lead. */
  readonly leadership: { onLead(work: () => void): void };
  /** Every hour unless given. */
  readonly intervalMs?: number;
}

/**
 * Runs the sweeps at the start and from then on periodically. What rows name is out of quarantine when it has started, before
 * anything is served.
 */
export function createSweepComponent(
  sweeps: Pick<Sweeps, 'returnNamed' | 'runAll' | 'warning' | 'close'>,
  { pair, leadership, logger, intervalMs = everyMs }: SweepComponentDeps,
): Component {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isStopping = false;
  const sweep = async () => {
    try {
      // Where the database was replaced, this suspends the sweeps; where nobody knows, nothing is swept either.
      await pair.check();
    } catch (error) {
      logger.error({ err: error }, 'data folder and database not compared; sweeps wait for the next hour');
      return;
    }
    await sweeps.runAll();
  };
  const sweepUnlessSweeping = () => {
    running ??= sweep().finally(() => {
      running = undefined;
    });
  };
  return {
    name: 'retention',
    async start() {
      await sweeps.returnNamed();
      if (isStopping) return;
      sweepUnlessSweeping();
      leadership.onLead(() => {
        // What the one before may have left undone.
        if (!isStopping) sweepUnlessSweeping();
      });
      timer = setInterval(sweepUnlessSweeping, intervalMs).unref();
    },
    isReady: () => true,
    notices: () => [sweeps.warning()].filter((text) => text !== undefined),
    async stop() {
      isStopping = true;
      clearInterval(timer);
      await sweeps.close();
      await running;
    },
  };
}
