import { StorageError } from '../storage-error.js';

const idPattern = /^[a-z0-9-]{8,100}$/;

export function isBlobId(id: string): boolean {
  return idPattern.test(id);
}

/** Throws for what is no id of a blob: it becomes part of a path, or of a key. */
export function checkBlobId(id: string): void {
  if (!isBlobId(id)) throw new StorageError('value', 'This is no id of a blob.');
}
