import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * `lynceus` in the user's folder for data: `XDG_DATA_HOME` where it is absolute, else `~/.local/share`
 * (XDG Base Directory Specification 0.8).
 */
export function userDataDir(env: Readonly<Record<string, string | undefined>>): string {
  const named = env['XDG_DATA_HOME'];
  if (named !== undefined && isAbsolute(named)) return join(named, 'lynceus');
  const home = env['HOME'];
  return join(home !== undefined && isAbsolute(home) ? home : homedir(), '.local', 'share', 'lynceus');
}
