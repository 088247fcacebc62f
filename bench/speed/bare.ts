import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { BareLoopResult, BareLoopTask } from './bare-loop.js';

/** Runs the bare loop in as many processes as the service has, at once, and adds up what they did. */
export async function runBareProcesses(task: BareLoopTask, processes: number): Promise<BareLoopResult> {
  const results = await Promise.all(
    Array.from({ length: processes }, async () => {
      const child = fork(new URL('./bare-loop.js', import.meta.url));
      child.send(task);
      const [result] = (await once(child, 'message')) as [BareLoopResult];
      return result;
    }),
  );
  const sum = (field: keyof BareLoopResult) => results.reduce((total, result) => total + result[field], 0);
  return { images: sum('images'), cpuSeconds: sum('cpuSeconds'), seconds: sum('seconds') / processes };
}
