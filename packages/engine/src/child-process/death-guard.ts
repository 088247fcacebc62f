import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const guard = ['setpriv', '--pdeathsig', 'KILL', '--'] as const;
const timeoutMs = 20_000;

/**
 * A program and its arguments, to stand before those of a child process: the kernel then kills the child with whatever started it, even
 * one that is stopped (util-linux, setpriv(1)). Empty where there is no such program.
 */
export async function findDeathGuard(): Promise<readonly string[]> {
  const [program, ...args] = guard;
  return promisify(execFile)(program, [...args, 'true'], { timeout: timeoutMs }).then(
    () => guard,
    () => [],
  );
}
