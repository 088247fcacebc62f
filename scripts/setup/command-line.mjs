import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './prepare.mjs';

/** Runs a command of the compiled command line in this process, so that signals reach it; answers its exit code. */
export async function runCommand(...words) {
  const entry = pathToFileURL(join(root, 'packages', 'server', 'dist', 'cli', 'main.js'));
  const { runCommandLine } = await import(entry.href);
  return runCommandLine(words);
}
