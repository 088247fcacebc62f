import { DeliveryError } from './destination.js';
import type { OutgoingFile } from './outgoing-file.js';

/** The size of what has a name and is no file. */
export const noFileSize = -1;

/** One folder of a destination that keeps files by name; what `putDelivery` needs of each protocol. Throws `DeliveryError`. */
export interface RemoteFolder {
  /** In bytes; null when nothing is there, `noFileSize` when no file is. */
  findSize(name: string): Promise<number | null>;
  /** What is in the folder, of names that begin so at least; null when the far side does not tell. */
  listNames(beginning: string): Promise<readonly string[] | null>;
  /** Whether a file of the right size is this one. */
  isSame(name: string, file: OutgoingFile): Promise<boolean>;
  /** Puts a file there whole, or not at all. `taken`: something else has come under that name, and may not be replaced. */
  put(name: string, file: OutgoingFile, mayReplace: boolean): Promise<'put' | 'taken'>;
  remove(name: string): Promise<void>;
  /** For people. */
  describeLocation(name: string): string;
}

/** Connects, goes to folders below the destination's own, making them, and closes when the use of them is over. */
export type UseRemoteFolder = <T>(
  folders: readonly string[],
  signal: AbortSignal,
  use: (folder: RemoteFolder) => Promise<T>,
) => Promise<T>;

/** A folder of the settings in parts. Throws `settings` for one that leads upwards. */
export function splitFolder(folder: string): {
  readonly isAbsolute: boolean;
  readonly parts: readonly string[];
} {
  const parts = folder.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) {
    throw new DeliveryError('settings', 'the folder of the destination may not have .. in it');
  }
  return { isAbsolute: folder.startsWith('/'), parts };
}
