import { constants } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, TagProblem } from './tag-problem.js';

/**
 * Throws `TagProblem` where a file is not to be written to. It would be replaced, which asks the folder alone: that it is
 * read-only is what its owner wants.
 * @param name null for a file that is not there
 */
export async function checkWritable(folder: string, name: string | null): Promise<void> {
  if (name === null) return;
  const path = join(folder, name);
  const refusal = await access(path, constants.W_OK).catch((error: unknown) => error);
  if (codeOf(refusal) === 'EROFS') {
    throw new TagProblem(`${name} is on a disk that is mounted read-only: mount it with write access`);
  }
  const { mode } = await lstat(path);
  // To root, every file is writable.
  const isProtected = (mode & 0o222) === 0;
  if (!isProtected && refusal === undefined) return;
  throw new TagProblem(`${name} is read-only: allow writing with chmod u+w ${quoteForShell(name)}`);
}

function quoteForShell(name: string): string {
  return /^[\w.][\w.-]*$/.test(name) ? name : `'./${name.replaceAll("'", "'\\''")}'`;
}
