import { Readable } from 'node:stream';
import { ServiceError } from '../../core/service-error.js';
import { isDiskFull, StorageError } from '../../storage/storage-error.js';
import { DropError } from '../drop-error.js';

/**
 * Runs work; a failure because the disk of files or database is full is reported as `full`, one because the object store does not
 * answer as `away`.
 */
export async function withStorageErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toDropError(error);
  }
}

/** The same content, with the same errors. Ends what it is read from with it. */
export function readWithStorageErrors(content: Readable): Readable {
  const whole = Readable.from(piecesOf(content), { objectMode: false });
  // Also where nobody read any of it.
  whole.once('close', () => content.destroy());
  return whole;
}

async function* piecesOf(content: Readable): AsyncIterable<Uint8Array> {
  try {
    yield* content;
  } catch (error) {
    throw toDropError(error);
  }
}

export function diskFullError(options?: ErrorOptions): DropError {
  return new DropError('full', 'no room is left on the disk of this service: try again later', options);
}

function toDropError(error: unknown): unknown {
  if (isDiskFull(error) || (error instanceof ServiceError && error.code === 'no_space'))
    return diskFullError({ cause: error });
  if (!(error instanceof StorageError) || error.code !== 'away') return error;
  return new DropError('away', 'the object store does not answer: try again later', { cause: error });
}
