import { spawnSync } from 'node:child_process';

/**
 * Whether a program runs on this machine, asked by a command that does nothing. Where CI is set it must, and a test
 * without it fails.
 */
export function haveProgram(command: string, words: readonly string[], debianPackage: string): boolean {
  if (spawnSync(command, words, { stdio: 'ignore' }).status === 0 || process.env['CI'] === 'true')
    return true;
  console.warn(`skipped: ${command} is not here (on Debian: apt-get install ${debianPackage})`);
  return false;
}
