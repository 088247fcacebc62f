import { statfs } from 'node:fs/promises';
import { ServiceError } from '../core/service-error.js';

/** Room on the disk of a folder. So much of it is a reserve, for the database and for what must not fail. */
export interface DiskGuard {
  /** Throws `no_space` when so many more bytes would take of the reserve. */
  require(bytes?: number): Promise<void>;
  /** The same pieces, which end with `no_space` before they take of the reserve. */
  guard(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** What is missing for content of unknown length to be taken; null: nothing. Makes room as `require` does. */
  shortage(): Promise<DiskShortage | null>;
}

/** A disk with less room than is needed. */
export interface DiskShortage {
  readonly dir: string;
  readonly freeBytes: number;
  /** The reserve, and what is to be written. */
  readonly neededBytes: number;
}

/** Bytes that pass between two looks at the disk. */
const lookEveryBytes = 8 * 1024 * 1024;

export interface DiskGuardOptions {
  readonly dir: string;
  readonly reserveBytes: number;
  readonly readFreeBytes?: (dir: string) => Promise<number>;
  /** Asked for so many bytes before anything is refused: deletes what can be brought again. */
  readonly giveUp?: (bytes: number) => Promise<unknown>;
}

export function createDiskGuard({
  dir,
  reserveBytes,
  readFreeBytes = freeBytes,
  giveUp,
}: DiskGuardOptions): DiskGuard {
  const shortage = async (bytes: number): Promise<DiskShortage | null> => {
    if (reserveBytes === 0) return null;
    const neededBytes = reserveBytes + bytes;
    const look = async () => {
      const free = await readFreeBytes(dir);
      return free < neededBytes ? { dir, freeBytes: free, neededBytes } : null;
    };
    const found = await look();
    if (found === null || !giveUp) return found;
    await giveUp(neededBytes - found.freeBytes);
    return look();
  };
  const require = async (bytes = 0): Promise<void> => {
    if ((await shortage(bytes)) === null) return;
    throw new ServiceError(
      'no_space',
      'the disk of the service has too little room left: delete what is not needed, or have its operator make room (diskReserveBytes)',
    );
  };
  return {
    require,
    shortage: () => shortage(lookEveryBytes),
    async *guard(content) {
      let sinceLook = 0;
      await require(lookEveryBytes);
      for await (const piece of content) {
        sinceLook += piece.byteLength;
        if (sinceLook >= lookEveryBytes) {
          await require(lookEveryBytes);
          sinceLook = 0;
        }
        yield piece;
      }
    },
  };
}

/** For this user; no end of it where the system does not tell. */
async function freeBytes(dir: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(dir);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
