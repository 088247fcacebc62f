import type { DropPath } from '../drops/drop-folders.js';

const maxNameBytes = 255;

const tops = new Set(['incoming', 'done', 'failed']);
const maxDepth = 32;

export type ResolvedPath =
  | { readonly path: DropPath }
  /** The reason, as text for the client. */
  | { readonly refused: string };

/**
 * Resolves a client's path against its current folder. `.` and `..` are resolved as text and never lead above the root. A path that
 * is not below `done` or `failed` is below `incoming`: `/DCIM/x.jpg` is `/incoming/DCIM/x.jpg`. In `/incoming`, `incoming/x.jpg` is
 * `/incoming/x.jpg`: a session starts in that folder, and `curl ftp://host/incoming/` changes to it again.
 */
export function resolvePath(folder: DropPath, text: string): ResolvedPath {
  const parts = text.startsWith('/') ? [] : [...folder];
  for (const part of text.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  const [top] = parts;
  const path = top === undefined || tops.has(top) ? parts : ['incoming', ...parts];
  while (path[0] === 'incoming' && path[1] === 'incoming') path.shift();
  if (path.length > maxDepth) return { refused: `Folders may be ${maxDepth} deep.` };
  for (const name of path) {
    const refused = checkName(name);
    if (refused) return { refused };
  }
  return { path };
}

/** The path as text for the client. */
export function showPath(path: DropPath): string {
  return `/${path.join('/')}`;
}

/**
 * Why a file or folder cannot have this name; null when it can. Control characters terminate lines and strings in other programs.
 * Format characters reverse the writing direction or are invisible: two names could look alike, or a name could hide its extension.
 */
export function checkName(name: string): string | null {
  if (Buffer.byteLength(name) > maxNameBytes) return `A name may have ${maxNameBytes} bytes.`;
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) return 'A name may have no control characters.';
  if (/[\p{Cf}\p{Cs}]/u.test(name)) return 'A name may have no invisible characters.';
  if (name.trim() === '') return 'A name may not be blank.';
  return null;
}
