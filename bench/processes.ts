import { readdir, readFile } from 'node:fs/promises';

/** CPU seconds and resident bytes of a process and all below it, read from /proc (Linux). */
export interface Usage {
  readonly cpuSeconds: number;
  readonly residentBytes: number;
  /** A process each, the first the one asked for. */
  readonly processes: readonly {
    readonly pid: number;
    readonly cpuSeconds: number;
    readonly residentBytes: number;
  }[];
}

const ticksPerSecond = 100;
const pageBytes = 4096;

export async function usageOf(pid: number): Promise<Usage> {
  const pids = await withDescendants(pid);
  const processes = (await Promise.all(pids.map(usageOfOne))).filter((usage) => usage !== undefined);
  return {
    cpuSeconds: processes.reduce((sum, usage) => sum + usage.cpuSeconds, 0),
    residentBytes: processes.reduce((sum, usage) => sum + usage.residentBytes, 0),
    processes,
  };
}

/** CPU seconds of processes that are known, together: little of its own, so that single images can be timed. */
export async function cpuSecondsOf(pids: readonly number[]): Promise<number> {
  const usages = await Promise.all(pids.map(usageOfOne));
  return usages.reduce((sum, usage) => sum + (usage?.cpuSeconds ?? 0), 0);
}

/** Whether a process still runs; a zombie does not. */
export async function isRunning(pid: number): Promise<boolean> {
  const fields = await statFields(pid);
  return fields !== undefined && fields[0] !== 'Z';
}

/** Milliseconds for which the main thread of a process could have run and had to wait for a core: proc(5), schedstat. */
export async function waitedForCoreMs(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').catch(() => '');
  return Number(text.split(' ')[1] ?? Number.NaN) / 1e6;
}

export async function withDescendants(root: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const fields = await statFields(Number(name));
    if (fields) parents.set(Number(name), Number(fields[1]));
  }
  const found = [root];
  for (const pid of found) {
    for (const [child, parent] of parents) if (parent === pid) found.push(child);
  }
  return found;
}

async function usageOfOne(pid: number): Promise<Usage['processes'][number] | undefined> {
  const fields = await statFields(pid);
  if (!fields) return undefined;
  const cpuTicks = Number(fields[11]) + Number(fields[12]);
  return { pid, cpuSeconds: cpuTicks / ticksPerSecond, residentBytes: Number(fields[21]) * pageBytes };
}

/** The fields of /proc/PID/stat from the third on (proc(5)): state, parent, …, utime, stime, …, rss. */
async function statFields(pid: number): Promise<string[] | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}
