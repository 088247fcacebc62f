import { appendFile, copyFile, rm } from 'node:fs/promises';

/** What metadata may add to a file, in bytes. */
const marginBytes = 256 * 1024;

/**
 * Whether a folder's disk has room for a changed copy of a file. exiftool says of a full disk and of a damaged file alike that it could
 * not write; so a copy is tried.
 */
export async function hasRoomFor(path: string, probePath: string): Promise<boolean> {
  try {
    await copyFile(path, probePath);
    await appendFile(probePath, Buffer.alloc(marginBytes));
    return true;
  } catch {
    return false;
  } finally {
    await rm(probePath, { force: true });
  }
}
