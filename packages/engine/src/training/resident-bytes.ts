import { readFileSync } from 'node:fs';

const pageBytes = 4096;

/**
 * Memory of another process as the kernel tells it on Linux; undefined elsewhere and when it is gone. (Pages of 4 KiB
 * are assumed; where they are larger it tells too little, and what the process says of itself counts.)
 */
export function residentBytes(pid: number): number | undefined {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]);
    return Number.isFinite(pages) ? pages * pageBytes : undefined;
  } catch {
    return undefined;
  }
}
