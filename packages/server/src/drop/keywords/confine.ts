import { existsSync } from 'node:fs';

/**
 * A command within limits: its address space, and an end when our process has one. exiftool alone would wait for orders for
 * ever when we are killed. By programs of util-linux, which every Debian has; where one is missing its limit is too.
 */
export function confine(words: readonly string[], maxMemoryBytes: number): string[] {
  return [
    ...programAt('/usr/bin/setpriv', ['--pdeathsig', 'KILL']),
    ...programAt('/usr/bin/prlimit', [`--as=${maxMemoryBytes}`]),
    ...words,
  ];
}

function programAt(path: string, args: readonly string[]): string[] {
  return existsSync(path) ? [path, ...args] : [];
}
