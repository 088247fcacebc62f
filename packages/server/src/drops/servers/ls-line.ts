import type { DropEntry } from '../drop-folders.js';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const halfYearMs = 182 * 24 * 3600 * 1000;

/**
 * One line in the format of `ls -l`, in UTC. Clients parse its columns: it has the time of day for the last half year, and the year
 * for older entries.
 */
export function writeLsLine(entry: DropEntry, nowMs: number): string {
  const isFolder = entry.kind === 'folder';
  const size = String(entry.sizeBytes).padStart(12);
  return `${isFolder ? 'drwxr-xr-x' : '-rw-r--r--'}   1 ftp      ftp      ${size} ${writeLsTime(entry.modifiedMs, nowMs)} ${entry.name}`;
}

function writeLsTime(timeMs: number, nowMs: number): string {
  const time = new Date(timeMs);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${months[time.getUTCMonth()]} ${String(time.getUTCDate()).padStart(2)}`;
  const isRecent = timeMs <= nowMs + 24 * 3600 * 1000 && nowMs - timeMs < halfYearMs;
  return isRecent
    ? `${day} ${two(time.getUTCHours())}:${two(time.getUTCMinutes())}`
    : `${day}  ${time.getUTCFullYear()}`;
}
