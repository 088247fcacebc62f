import { mkdir, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withDescendants } from '../processes.js';

/** Processes held to a core, and to a share of it: what makes a machine of two out of one (cgroup v1, as root). */
export interface Cap {
  readonly name: string;
  /** Which core, counted from 0. */
  readonly core: number;
  /** 1 is the whole core. */
  readonly share: number;
}

const root = '/sys/fs/cgroup';
/** Short, so that a share is not taken in long bursts: a request would wait a whole period for the next one. */
const periodUs = 20_000;

/**
 * Makes the groups, and moves this process into the group `around`, and with it all that it starts from then on.
 * @throws Error without root or cgroup v1
 */
export async function createCaps(caps: readonly Cap[], around: string) {
  const folderOf = (controller: string, name: string) => join(root, controller, `lynceus-scale-${name}`);
  const move = async (name: string | null, pids: readonly number[]) => {
    for (const controller of ['cpu', 'cpuset']) {
      const folder = name === null ? join(root, controller) : folderOf(controller, name);
      for (const pid of pids) await writeFile(join(folder, 'cgroup.procs'), String(pid));
    }
  };
  const remove = async () => {
    await move(null, [process.pid]);
    for (const { name } of caps) {
      for (const controller of ['cpu', 'cpuset']) {
        await rmdir(folderOf(controller, name)).catch(() => undefined);
      }
    }
  };
  try {
    for (const { name, core, share } of caps) {
      const [cpu, cpuset] = [folderOf('cpu', name), folderOf('cpuset', name)];
      await Promise.all([mkdir(cpu, { recursive: true }), mkdir(cpuset, { recursive: true })]);
      await writeFile(join(cpu, 'cpu.cfs_period_us'), String(periodUs));
      await writeFile(join(cpu, 'cpu.cfs_quota_us'), String(Math.round(periodUs * share)));
      await writeFile(join(cpuset, 'cpuset.mems'), '0');
      await writeFile(join(cpuset, 'cpuset.cpus'), String(core));
    }
    await move(around, [process.pid]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    await remove().catch(() => undefined);
    throw new Error(`CPU shares need root and cgroup v1 at ${root}/cpu and ${root}/cpuset: ${reason}`);
  }
  return {
    /** Moves a process and all below it. */
    place: async (name: string, pid: number) => move(name, await withDescendants(pid)),
    /** What runs in the groups must have ended; this process leaves them. */
    remove,
  };
}

export type Caps = Awaited<ReturnType<typeof createCaps>>;
