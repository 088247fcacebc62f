import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, withDescendants } from '../processes.js';
import type { Service } from '../service.js';

/** All processes, as in a power failure; or the service alone, as by the kernel's OOM killer. */
export type CrashScope = 'everything' | 'the service alone';

/** Time in which processes must end after their service: a fraction of a second, unless the machine is busy. */
const goneWithinMs = 60_000;

/** Returns descriptions of the processes that outlived the service. */
export async function crashService({ pid }: Pick<Service, 'pid'>, crashScope: CrashScope): Promise<string[]> {
  // Listing its processes takes a while, in which the service must not continue.
  process.kill(pid, 'SIGSTOP');
  const below = (await withDescendants(pid)).slice(1);
  for (const victim of crashScope === 'everything' ? [pid, ...below] : [pid]) process.kill(victim, 'SIGKILL');
  const deadline = performance.now() + goneWithinMs;
  const running = async () => {
    const states = await Promise.all(below.map(isRunning));
    return below.filter((_, index) => states[index]);
  };
  while (performance.now() < deadline && (await running()).length > 0) await sleep(50);
  return (await running()).map(
    (survivor) => `process ${survivor} outlived the service by ${goneWithinMs / 1000} s`,
  );
}
