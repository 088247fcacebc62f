import type { DropEntry, DropPath } from '../drops/drop-folders.js';

/** RFC 3659, 7.5. */
export const factNames = ['type', 'size', 'modify', 'perm'] as const;
export type FactName = (typeof factNames)[number];

/** An entry as MLSD and MLST tell it; `path` is the whole path of what is told. */
export function writeFacts(
  entry: DropEntry,
  path: DropPath,
  wanted: ReadonlySet<FactName>,
  shown: string,
): string {
  const facts: Readonly<Record<FactName, string | null>> = {
    type: entry.kind === 'folder' ? 'dir' : 'file',
    size: entry.kind === 'folder' ? null : String(entry.sizeBytes),
    modify: writeTime(entry.modifiedMs),
    perm: permissions(entry.kind, path),
  };
  const shownNames = factNames.filter((name) => wanted.has(name) && facts[name] !== null);
  return `${shownNames.map((name) => `${name}=${facts[name]};`).join('')} ${shown}`;
}

/** `YYYYMMDDHHMMSS` in UTC (RFC 3659, 2.3). */
export function writeTime(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/[-:T]/g, '').slice(0, 14);
}

/** RFC 3659, 7.5.5: only `incoming` takes anything, and what is at the root stays there. */
function permissions(kind: DropEntry['kind'], [top, ...below]: DropPath): string {
  if (top !== 'incoming') return kind === 'folder' ? 'el' : 'dr';
  if (kind === 'file') return 'adfrw';
  return below.length > 0 ? 'cdeflmp' : 'celmp';
}
