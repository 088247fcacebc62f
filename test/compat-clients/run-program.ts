import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const python = '/usr/bin/python3';

/** Runs a Python program of this folder; what it printed, by client. */
export async function runProgram(
  program: string,
  env: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
  const path = fileURLToPath(new URL(`../../compat-clients/${program}`, import.meta.url));
  const { stdout } = await promisify(execFile)(python, [path], {
    env: { ...process.env, ...env, no_proxy: '127.0.0.1' },
  });
  return Object.fromEntries(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split('\t'))
      .map(([name, value = 'null']) => [name, JSON.parse(value)]),
  );
}
