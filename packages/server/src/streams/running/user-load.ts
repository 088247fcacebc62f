import type { ProcessRunner } from '@lynceus/engine';
import type { InferenceLoad } from '../../service/watch-load.js';
import { createCpuWaits } from './cpu-waits.js';

/** What requests of users suffer. */
export type UserLoad = ReturnType<typeof createUserLoad>;

/** Of the time in which they could run, inference processes may wait so much for a core: what a user waits longer. */
const mostCpuWait = 0.2;
const readEveryMs = 1000;

export function createUserLoad({
  load,
  runner,
}: {
  readonly load: InferenceLoad;
  readonly runner: Pick<ProcessRunner, 'stats'>;
}) {
  const cpuWaits = createCpuWaits();
  let isShort = false;
  let readMs = Number.NEGATIVE_INFINITY;
  const read = async () => {
    const pids = runner.stats().processes.flatMap(({ pid }) => pid ?? []);
    isShort = (await cpuWaits.read(pids)) > mostCpuWait;
  };
  return {
    /** Since the last look: whether they waited for an inference process, and whether these run slowly since cores are few. */
    look(): { readonly isWaiting: boolean; readonly isSlow: boolean } {
      const isSlow = load.isInteractive() && isShort;
      const nowMs = performance.now();
      if (nowMs - readMs >= readEveryMs) {
        readMs = nowMs;
        void read();
      }
      return { isWaiting: load.isInteractiveWaiting(), isSlow };
    },
  };
}
