import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { commandScript } from '../single-service.js';

/**
 * Runs a process with these words of Node.js, and kills it. Returns its exit code where it ended before.
 * @param isDue resolves with true when it is to be killed, and with false where it is left to end
 */
export async function runUntilKilled(
  words: readonly string[],
  isDue: (lines: AsyncIterable<string>) => Promise<boolean>,
  settings: Readonly<Record<string, string>> = {},
): Promise<'killed' | number> {
  const child = spawn(process.execPath, [...words], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<'killed' | number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(signal === 'SIGKILL' ? 'killed' : (code ?? 1)));
  });
  if (await isDue(createInterface({ input: child.stdout }))) child.kill('SIGKILL');
  return ended;
}

/** Words of a process that runs a command of the command line. */
export function commandWords(words: readonly string[]): readonly string[] {
  return ['--input-type=module', '-e', commandScript(words)];
}
