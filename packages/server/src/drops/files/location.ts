import type { DropArea } from '../../storage/tables/drops.js';
import { DropError } from '../drop-error.js';
import type { DropPath } from '../drop-folders.js';

export const areas: readonly DropArea[] = ['incoming', 'done', 'failed'];

/** Where something is, as rows tell it. */
export interface Location {
  readonly area: DropArea;
  /** Names with slashes between them; empty for the area itself. */
  readonly parent: string;
  readonly name: string;
}

/** Characters of a whole path: far more than cameras use. */
const maxPathLength = 2000;

/** Null for the root, for what is directly in it, and for what can be nowhere. */
export function locationOf(path: DropPath): Location | null {
  const area = areaOf(path);
  const name = path.at(-1);
  if (area === null || name === undefined || path.length < 2) return null;
  return { area, parent: path.slice(1, -1).join('/'), name };
}

/** Null for the root and for what is in none of the areas. */
export function areaOf([first]: DropPath): DropArea | null {
  return areas.find((area) => area === first) ?? null;
}

/** Below its area. */
export function pathBelow(path: DropPath): string {
  return path.slice(1).join('/');
}

/** A location where clients can put something. Throws `read-only` and `name`. */
export function writableLocation(path: DropPath): Location {
  const location = locationOf(path);
  if (location?.area !== 'incoming') {
    throw new DropError('read-only', 'nothing can be put or changed here: put files into /incoming');
  }
  if (path.join('/').length > maxPathLength) throw new DropError('name', 'the whole path is too long');
  return location;
}

export function toPath({ area, parent, name }: Location): DropPath {
  return [area, ...(parent === '' ? [] : parent.split('/')), name];
}
