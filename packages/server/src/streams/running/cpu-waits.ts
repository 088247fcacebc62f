import { readdir, readFile } from 'node:fs/promises';

interface Times {
  readonly ranNs: number;
  readonly waitedNs: number;
}

const nothing: Times = { ranNs: 0, waitedNs: 0 };
/** Less than this says nothing. */
const leastNs = 20e6;

/**
 * How long processes have waited for a core.
 * By `/proc/PID/task/TID/schedstat` (Linux, proc(5)): nanoseconds on a core, and in the queue for one.
 */
export function createCpuWaits() {
  let before = new Map<string, Times>();
  return {
    /**
     * The share of the time in which their threads could have run that they waited for a core, from 0 to 1, since it was read last; 0 where
     * the system does not report it.
     */
    async read(pids: readonly number[]): Promise<number> {
      const now = new Map((await Promise.all(pids.map(readThreads))).flat());
      let [ran, waited] = [0, 0];
      for (const [thread, times] of now) {
        // Of one that is new, all is since then, or it was not asked for.
        const last = before.get(thread) ?? (before.size === 0 ? times : nothing);
        ran += times.ranNs - last.ranNs;
        waited += times.waitedNs - last.waitedNs;
      }
      before = now;
      return ran + waited < leastNs ? 0 : waited / (ran + waited);
    },
  };
}

async function readThreads(pid: number): Promise<readonly (readonly [string, Times])[]> {
  const folder = `/proc/${pid}/task`;
  const threads = await readdir(folder).catch(() => []);
  const times = await Promise.all(
    threads.map(async (thread) => {
      const text = await readFile(`${folder}/${thread}/schedstat`, 'utf8').catch(() => '');
      const [ran, waited] = text.split(' ').map(Number);
      return ran === undefined || waited === undefined
        ? []
        : [[`${pid}/${thread}`, { ranNs: ran, waitedNs: waited }] as const];
    }),
  );
  return times.flat();
}
