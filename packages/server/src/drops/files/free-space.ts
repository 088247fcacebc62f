import { statfs } from 'node:fs/promises';
import { diskFullError } from './with-storage-errors.js';

/** So many bytes are written between looks at the free room. */
const lookAfterBytes = 8 * 1024 * 1024;

/**
 * Asked before something is written to a disk: throws `full` where no room is left but the reserve. Of one file, it looks only now
 * and then.
 */
export function createFreeSpaceCheck(
  dir: string,
  reserveBytes: number,
): (writtenBytes?: number) => Promise<void> {
  let unlooked = 0;
  return async (writtenBytes = lookAfterBytes) => {
    unlooked += writtenBytes;
    if (unlooked < lookAfterBytes) return;
    unlooked = 0;
    const { bavail, bsize } = await statfs(dir);
    if (bavail * bsize < reserveBytes) throw diskFullError();
  };
}
