import { StorageError } from '../../storage/storage-error.js';
import { DropError } from '../drop-error.js';

/** Runs work; a failure because the disk of files or database is full is reported as `full`. */
export async function withDiskFullError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isDiskFull(error) ? diskFullError({ cause: error }) : error;
  }
}

export function diskFullError(options?: ErrorOptions): DropError {
  return new DropError('full', 'no room is left on the disk of this service: try again later', options);
}

function isDiskFull(error: unknown): boolean {
  if (error instanceof StorageError) return error.code === 'full';
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}
