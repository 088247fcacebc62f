import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './prepare.mjs';

/** Runs a command of the bundled command line in this process, so that signals reach it; answers its exit code. */
export async function runCommand(...words) {
  const entry = pathToFileURL(join(root, 'packages', 'server', 'dist', 'bundle', 'lynceus.mjs'));
  const { runCommandLine } = await import(entry.href);
  return runCommandLine(words);
}
