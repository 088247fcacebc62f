import { StorageError, type StorageErrorCode } from '../storage-error.js';

/** By what an error's `code` starts with: SQLite's primary result codes first. */
const byCode: readonly (readonly [prefix: string, code: StorageErrorCode])[] = [
  ['SQLITE_CONSTRAINT_UNIQUE', 'unique'],
  ['SQLITE_CONSTRAINT_PRIMARYKEY', 'unique'],
  ['SQLITE_CONSTRAINT_NOTNULL', 'not-null'],
  ['SQLITE_CONSTRAINT', 'constraint'],
  ['SQLITE_BUSY', 'busy'],
  ['SQLITE_LOCKED', 'busy'],
  ['SQLITE_FULL', 'full'],
  ['SQLITE_NOTADB', 'damaged'],
  ['SQLITE_CORRUPT', 'damaged'],
  ['SQLITE_READONLY', 'access'],
  ['SQLITE_CANTOPEN', 'access'],
  ['SQLITE_PERM', 'access'],
  ['SQLITE_IOERR', 'access'],
  // Node's own, from making the file.
  ['ENOSPC', 'full'],
  ['EACCES', 'access'],
  ['EISDIR', 'access'],
  ['ENOENT', 'access'],
  ['ENOTDIR', 'access'],
  ['EPERM', 'access'],
  ['EROFS', 'access'],
];

/** Turns an error of the driver into ours, with words that say what to mend. */
export function explainSqliteError(error: unknown, path: string): StorageError {
  if (error instanceof StorageError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const code = classify(error, message);
  return new StorageError(code, explain(code, path, message), { cause: error });
}

function classify(error: unknown, message: string): StorageErrorCode {
  // An error on opening has no code of its own, only SQLite's number 14 in its text.
  if (message.includes('Unable to open connection')) return 'access';
  const given = error instanceof Error && 'code' in error ? String(error.code) : '';
  return byCode.find(([prefix]) => given.startsWith(prefix))?.[1] ?? 'internal';
}

function explain(code: StorageErrorCode, path: string, message: string): string {
  switch (code) {
    case 'busy':
      return `${path} is held by another program; try again when it is done.`;
    case 'full':
      return `The disk under ${path} is full; nothing was written. Make room.`;
    case 'damaged':
      return `${path} is damaged or not a database. Bring a backup back with: npm run -s lynceus -- restore FILE`;
    case 'access':
      return `${path} cannot be opened, read or written (${message}); check the folder, its owner and the disk.`;
    default:
      return message;
  }
}
