import type { Part } from '../lifecycle.js';
import type { Sweeps } from '../sweeps/sweep.js';

const everyMs = 3_600_000;

/**
 * Runs the sweeps at the start and from then on periodically. What rows name is out of quarantine when it has started, before
 * anything is served.
 */
export function createSweepPart(
  sweeps: Pick<Sweeps, 'returnNamed' | 'runAll' | 'warning' | 'close'>,
  { intervalMs = everyMs }: { readonly intervalMs?: number } = {},
): Part {
  let timer: NodeJS.Timeout | undefined;
  return {
    name: 'retention',
    async start() {
      await sweeps.returnNamed();
      void sweeps.runAll();
      timer = setInterval(() => void sweeps.runAll(), intervalMs).unref();
    },
    isReady: () => true,
    warning: () => sweeps.warning(),
    async stop() {
      clearInterval(timer);
      await sweeps.close();
    },
  };
}
