import { setImmediate } from 'node:timers/promises';
import type { DropEntry, DropFolders, DropPath } from '../drops/drop-folders.js';

/** So many entries are made into text in one go; others are served between. */
const entriesInOneGo = 200;
const chunkCharacters = 16 * 1024;

export interface Listed {
  readonly entry: DropEntry;
  /** The whole path of it. */
  readonly path: DropPath;
}

/** Where a listing looks: a folder whole, what matches in it, or one file. */
export type Listing =
  | { readonly folder: DropPath; readonly pattern: string | null }
  | { readonly file: DropEntry; readonly path: DropPath };

/** What is at a path; its last part may be a pattern, unless something is there by that name. Null when nothing is. */
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

/** Lines as text of some size, so that a thousand of them are not a thousand packets. */
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

/** Whether a text stands for more than itself. */
export function isPattern(text: string): boolean {
  return /[*?]/.test(text);
}

/** `*` is any characters, `?` any one. Takes time of name times pattern at most, whatever the pattern. */
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
