import { cutBytes } from '../../delivery/remote-names.js';
import type { DropPath } from '../drop-folders.js';

const maxNameBytes = 255;

const tops = new Set(['incoming', 'done', 'failed']);
const maxDepth = 32;

type ResolvedPath =
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
    else parts.push(cleanName(part));
  }
  const [top] = parts;
  const path = top === undefined || tops.has(top) ? parts : ['incoming', ...parts];
  while (path[0] === 'incoming' && path[1] === 'incoming') path.shift();
  if (path.length > maxDepth) return { refused: `Folders may be ${maxDepth} deep.` };
  return { path };
}

/** The path as text for the client. */
export function showPath(path: DropPath): string {
  return `/${path.join('/')}`;
}

/**
 * The name that a file or folder gets in place of one that it cannot have: a camera that is refused cannot ask for another name. Control
 * characters, which end lines and strings in other programs, become `_`; characters that are invisible or turn the direction of writing are
 * left out, since two names could look alike, or a name could hide its ending; a name that is too long loses the end of its stem.
 */
export function cleanName(name: string): string {
  const visible = name.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, '_').replace(/\p{Cf}/gu, '');
  const whole = /^(\.{0,2}|\s*)$/u.test(visible) ? '_' : visible;
  if (Buffer.byteLength(whole) <= maxNameBytes) return whole;
  const ending = /(?<=[^.])\.[A-Za-z0-9]{1,10}$/.exec(whole)?.[0] ?? '';
  return `${cutBytes(whole.slice(0, whole.length - ending.length), maxNameBytes - ending.length)}${ending}`;
}
