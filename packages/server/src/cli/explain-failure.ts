import { getSystemErrorMap } from 'node:util';

/** What a failure of the operating system means for the caller of a command, by its code. */
const causes: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'this user may not use it',
  EPERM: 'this user may not use it',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full; make room on it',
  EDQUOT: 'the disk quota of this user is used up; make room',
  EISDIR: 'it is a folder; give the path of a file',
  ENOTDIR: 'a part of the path is a file; give a path through folders',
  EEXIST: 'it exists already; choose another path',
  ENAMETOOLONG: 'the name is too long; choose a shorter one',
  EMFILE: 'too many files are open; raise the limit with ulimit -n',
};

/** The message of an error, in one line; of an error of the operating system with the path and what to do. */
export function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!('code' in error) || typeof error.code !== 'string' || !('syscall' in error)) return error.message;
  const cause = causes[error.code] ?? systemTextOf(error);
  if (cause === undefined) return error.message;
  const path = 'path' in error && typeof error.path === 'string' ? `${error.path}: ` : '';
  return `${path}${cause} (${error.code})`;
}

function systemTextOf(error: object): string | undefined {
  const number: unknown = 'errno' in error ? error.errno : undefined;
  return typeof number === 'number' && 'path' in error ? getSystemErrorMap().get(number)?.[1] : undefined;
}
