import { setImmediate } from 'node:timers/promises';
import type { DropEntry, DropFolders, DropPath } from '../drop-folders.js';

/** Entries formatted before the event loop runs again. */
const entriesInOneGo = 200;
const chunkCharacters = 16 * 1024;

export interface Listed {
  readonly entry: DropEntry;
  /** Its full path. */
  readonly path: DropPath;
}

/** What a listing covers: a whole folder, the entries of a folder that match a pattern, or one file. */
export type Listing =
  | { readonly folder: DropPath; readonly pattern: string | null }
  | { readonly file: DropEntry; readonly path: DropPath };

/** What a path names. Its last segment is a pattern unless an entry has that very name. Null when nothing exists there. */
export async function findListing(folders: DropFolders, path: DropPath): Promise<Listing | null> {
  const found = path.length === 0 ? null : await folders.find(path);
  if (path.length === 0 || found?.kind === 'folder') return { folder: path, pattern: null };
  if (found) return { file: found, path };
  const last = path.at(-1) ?? '';
  const folder = path.slice(0, -1);
  if (!isPattern(last) || (folder.length > 0 && (await folders.find(folder))?.kind !== 'folder')) return null;
  return { folder, pattern: last };
}

export async function* readListing(folders: DropFolders, listing: Listing): AsyncGenerator<Listed> {
  if ('file' in listing) {
    yield { entry: listing.file, path: listing.path };
    return;
  }
  let count = 0;
  for await (const entry of folders.list(listing.folder)) {
    if (++count % entriesInOneGo === 0) await setImmediate();
    if (listing.pattern === null || matchName(listing.pattern, entry.name)) {
      yield { entry, path: [...listing.folder, entry.name] };
    }
  }
}

/** Joins lines into larger chunks: one chunk a line would be one packet a line. */
export async function* joinLines(
  listed: AsyncIterable<Listed>,
  write: (one: Listed) => string,
): AsyncGenerator<Buffer> {
  let text = '';
  for await (const one of listed) {
    text += `${write(one)}\r\n`;
    if (text.length < chunkCharacters) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}

/** Whether a text contains a wildcard. */
export function isPattern(text: string): boolean {
  return /[*?]/.test(text);
}

/** `*` matches any characters, `?` exactly one. Time is at most the product of both lengths, for every pattern. */
export function matchName(pattern: string, name: string): boolean {
  const wanted = [...pattern];
  const given = [...name];
  let at = 0;
  let star = -1;
  let resumeAt = 0;
  for (let index = 0; index < given.length; ) {
    if (wanted[at] === '*') {
      star = at++;
      resumeAt = index;
    } else if (wanted[at] === '?' || wanted[at] === given[index]) {
      at++;
      index++;
    } else if (star >= 0) {
      at = star + 1;
      index = ++resumeAt;
    } else return false;
  }
  while (wanted[at] === '*') at++;
  return at === wanted.length;
}

/** RFC 3659, 7.5. */
export const factNames = ['type', 'size', 'modify', 'perm'] as const;
export type FactName = (typeof factNames)[number];

/** An entry in the format of MLSD and MLST; `path` is its full path. */
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

/** RFC 3659, 7.5.5: only `incoming` is writable, and the top folders cannot be deleted. */
function permissions(kind: DropEntry['kind'], [top, ...below]: DropPath): string {
  if (top !== 'incoming') return kind === 'folder' ? 'el' : 'dr';
  if (kind === 'file') return 'adfrw';
  return below.length > 0 ? 'cdeflmp' : 'celmp';
}
