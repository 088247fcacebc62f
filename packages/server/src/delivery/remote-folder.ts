import { DeliveryError } from './destination.js';
import type { OutgoingFile } from './outgoing-file.js';

/** The size of an entry that is no file. */
export const noFileSize = -1;

/**
 * One folder of a destination that stores files by name: the operations that `putDelivery` needs of a protocol. Throws
 * `DeliveryError`.
 */
export interface RemoteFolder {
  /** In bytes; null when the name does not exist, `noFileSize` when it is no file. */
  findSize(name: string): Promise<number | null>;
  /** The names in the folder, at least those with this prefix; null when the remote server cannot list them. */
  listNames(beginning: string): Promise<readonly string[] | null>;
  /** Whether the content of a file of the same size is the same. */
  isSame(name: string, file: OutgoingFile): Promise<boolean>;
  /** Stores a file completely or not at all. `taken`: another file of that name exists and must not be replaced. */
  put(name: string, file: OutgoingFile, mayReplace: boolean): Promise<'put' | 'taken'>;
  remove(name: string): Promise<void>;
  /** The location for display. */
  describeLocation(name: string): string;
}

/** Connects, enters folders below the destination's folder, creates missing ones, and closes the connection after the use. */
export type UseRemoteFolder = <T>(
  folders: readonly string[],
  signal: AbortSignal,
  use: (folder: RemoteFolder) => Promise<T>,
) => Promise<T>;

/** Splits a folder of the settings into segments. Throws `settings` for `..`. */
export function splitFolder(folder: string): {
  readonly isAbsolute: boolean;
  readonly parts: readonly string[];
} {
  const parts = folder.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) {
    throw new DeliveryError('settings', 'the folder of the destination must not contain ..');
  }
  return { isAbsolute: folder.startsWith('/'), parts };
}
