export type StorageErrorCode =
  /** A row with this value exists already. */
  | 'unique'
  /** A column that must have a value would be NULL. */
  | 'not-null'
  /** Another rule of the schema was broken: CHECK or a foreign key. */
  | 'constraint'
  /** A value that the database cannot keep as it is; a fault of the caller. */
  | 'value'
  /** Another program held the database for longer than we wait. */
  | 'busy'
  /** The disk is full. */
  | 'full'
  /** The file or its folder cannot be written, read or created. */
  | 'access'
  /** The file is not a database, or is damaged. */
  | 'damaged'
  /** The object store cannot be reached, does not keep up, or refuses us until its operator has seen to it. */
  | 'away'
  /** More statements wait than we are ready to keep. */
  | 'overloaded'
  /** The thread was lost with the statements in it: they may or may not be on disk. */
  | 'lost'
  | 'closed'
  /** The database was made by a newer program. */
  | 'newer'
  /** Another service holds the data folder. */
  | 'locked'
  /** The key of the installation is missing, or another than the database is used with. */
  | 'wrong-key'
  /** The data folder and the database do not belong together. */
  | 'mismatch'
  /** A fault of ours, such as wrong SQL. */
  | 'internal';

/** An error of storage, identified by its code. Crosses threads as `{ code, message }`. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  constructor(
    readonly code: StorageErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Whether there was no room for what was to be written, by the database or by the system. */
export function isDiskFull(error: unknown): boolean {
  if (error instanceof StorageError) return error.code === 'full';
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}
