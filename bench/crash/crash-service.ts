import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, withDescendants } from '../processes.js';
import type { Service } from '../service.js';

/** All at once, as when the power fails; or one alone, as when the kernel needs its memory. */
export type CrashScope = 'everything' | 'the service alone';

/** Time for processes to go that lost their service: they take a fraction of a second, where the machine lets them. */
const goneWithinMs = 60_000;

/** Answers, in words, who of those below the service outlived it. */
export async function crashService({ pid }: Pick<Service, 'pid'>, crashScope: CrashScope): Promise<string[]> {
  // To look who is below it takes a while, in which it must not get on.
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
