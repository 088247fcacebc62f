import type { DropEntry } from '../../drop-folders.js';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const halfYearMs = 182 * 24 * 3600 * 1000;

/**
 * One line as `ls -l` writes it, in UTC. Clients take it apart by its columns: the time of day stands there for the last half
 * year, else the year.
 */
export function writeLsLine(entry: DropEntry, nowMs: number): string {
  const isFolder = entry.kind === 'folder';
  const size = String(entry.sizeBytes).padStart(12);
  return `${isFolder ? 'drwxr-xr-x' : '-rw-r--r--'}   1 ftp      ftp      ${size} ${writeTime(entry.modifiedMs, nowMs)} ${entry.name}`;
}

function writeTime(timeMs: number, nowMs: number): string {
  const time = new Date(timeMs);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${months[time.getUTCMonth()]} ${String(time.getUTCDate()).padStart(2)}`;
  const isRecent = timeMs <= nowMs + 24 * 3600 * 1000 && nowMs - timeMs < halfYearMs;
  return isRecent
    ? `${day} ${two(time.getUTCHours())}:${two(time.getUTCMinutes())}`
    : `${day}  ${time.getUTCFullYear()}`;
}
