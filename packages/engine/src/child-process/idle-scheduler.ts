import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const scheduler = ['chrt', '--idle', '0'] as const;
const timeoutMs = 20_000;

/**
 * A program and its arguments, to stand before those of a child process: Linux then runs it only while no other process wants the core,
 * and interrupts it at once (SCHED_IDLE; util-linux, chrt(1)), where a process of the lowest priority, 19, delays others by some milliseconds
 * now and then. Empty where there is no such program, or it is not allowed.
 */
export async function findIdleScheduler(): Promise<readonly string[]> {
  const [program, ...args] = scheduler;
  return promisify(execFile)(program, [...args, 'true'], { timeout: timeoutMs }).then(
    () => scheduler,
    () => [],
  );
}
