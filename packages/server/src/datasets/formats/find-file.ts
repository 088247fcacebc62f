import type { Split } from '../dataset.js';
import { baseOf, splitOfFolders, stemOf } from './plan.js';

/** Where a name was read, which tells apart files that have it in several folders. */
export interface NamedBy {
  /** The file that names it. */
  readonly path: string;
  readonly split: Split | null;
}

export interface FoundFile {
  readonly path: string;
  /** How the name is spelled where the file has it in other capital letters; null where it has the same ones. */
  readonly otherCase: string | null;
}

type FilesByKey = Map<string, [string, ...string[]]>;

export type FindFile = (name: string, by?: NamedBy) => FoundFile | null;

/**
 * Finds files by the names that annotations give them: with or without folders, of another machine or not, as an address too.
 * The one with most folders of the name wins; then one of the split that is said, then the nearest to the file that names it.
 * Where no file has the name, the only one that has it in other capital letters is found.
 * @param unlikely files that are found only where none of `paths` has as much of the name
 */
export function indexFiles(paths: readonly string[], unlikely: readonly string[] = []): FindFile {
  const isUnlikely = new Set(unlikely);
  const exact = indexBy([...paths, ...unlikely], (text) => text);
  const folded = indexBy(paths, (text) => text.toLowerCase());
  return (name, by) => {
    const spellings = [...spellingsOf(name)].map(partsOf);
    for (const parts of spellings) {
      const own = exact(parts);
      if (own) return { path: bestOf(own, parts, isUnlikely, by), otherCase: null };
    }
    for (const parts of spellings) {
      const [only, ...others] = folded(parts) ?? [];
      if (only === undefined || others.length > 0) continue;
      return { path: only, otherCase: parts[0] ?? '' };
    }
    return null;
  };
}

/** As `indexFiles`, for images that are called as the file that is of them, but for the ending. */
export function indexFilesByStem(paths: readonly string[]): (by: NamedBy) => FoundFile | null {
  const byName = new Map(paths.map((path) => [withoutEnding(path), path]));
  const find = indexFiles([...byName.keys()]);
  return (by) => {
    const found = find(withoutEnding(by.path), by);
    return found && { ...found, path: byName.get(found.path) ?? found.path };
  };
}

function withoutEnding(path: string): string {
  return path.replace(/\.[^./]*$/, '');
}

/**
 * Finds the image of a text file that is called as it: beside the file, else in the folder that mirrors its own (`label_2` and
 * `image_2`), else the only one of its stem below the parent of its folder. Another folder may be of another split, or of depths.
 */
export function indexImagesOfTexts(paths: readonly string[]) {
  const exact = indexStems(paths, (text) => text);
  const folded = indexStems(paths, (text) => text.toLowerCase());
  return (file: string): FoundFile | null => {
    const own = exact(file);
    const path = imageBeside(file, own ?? folded(file) ?? []);
    return path === undefined ? null : { path, otherCase: own ? null : stemOf(file) };
  };
}

function indexStems(paths: readonly string[], toKey: (text: string) => string) {
  const keyOf = (path: string) => toKey(stemOf(path).normalize('NFC'));
  const byStem: FilesByKey = new Map();
  for (const path of paths) push(byStem, keyOf(path), path);
  return (file: string) => byStem.get(keyOf(file));
}

function imageBeside(file: string, candidates: readonly string[]): string | undefined {
  const folder = folderOf(file);
  const mirrored = folder.replace(/(^|\/)label(?=[^/]*\/)(?!.*\/label)/i, '$1image');
  const parent = folder.replace(/[^/]+\/$/, '');
  const choices = [
    (path: string) => folderOf(path) === folder,
    (path: string) => folderOf(path) === mirrored,
    (path: string) => path.startsWith(parent),
  ];
  const chosen = choices.map((isOf) => candidates.filter(isOf)).find(({ length }) => length > 0) ?? [];
  return chosen.length === 1 ? chosen[0] : undefined;
}

/** With the slash behind it; empty for a file at the root. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** By the last part of a name; by its stem where it has no ending. */
function indexBy(paths: readonly string[], toKey: (text: string) => string) {
  const byBase: FilesByKey = new Map();
  const byStem: FilesByKey = new Map();
  for (const path of paths) {
    push(byBase, toKey(baseOf(path).normalize('NFC')), path);
    push(byStem, toKey(stemOf(path).normalize('NFC')), path);
  }
  return ([base = '']: readonly string[]) =>
    byBase.get(toKey(base)) ?? (base.includes('.') ? undefined : byStem.get(toKey(base)));
}

/** From the last one to the first. */
function partsOf(name: string): readonly string[] {
  return name.normalize('NFC').replaceAll('\\', '/').split('/').filter(Boolean).reverse();
}

/** As it is; as it is in an address; and without what labelling programs put before the name that they were sent. */
function* spellingsOf(name: string): Iterable<string> {
  yield name;
  const path = name.replace(/[?#].*$/s, '');
  const decoded = decode(path);
  yield path;
  yield decoded;
  yield decoded.replace(/(?<=^|\/)[0-9a-f]{8}-(?=[^/]+$)/, '');
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function push(index: FilesByKey, key: string, path: string): void {
  const list = index.get(key);
  if (list) list.push(path);
  else index.set(key, [path]);
}

function bestOf(
  paths: readonly [string, ...string[]],
  parts: readonly string[],
  isUnlikely: ReadonlySet<string>,
  by?: NamedBy,
): string {
  const [first] = paths;
  if (paths.length < 2) return first;
  const ranked = paths.map((path) => ({
    path,
    rank: [
      countEqual(path.split('/').reverse(), parts),
      isUnlikely.has(path) ? 0 : 1,
      by !== undefined && by.split !== null && splitOfFolders(path) === by.split ? 1 : 0,
      by === undefined ? 0 : countEqual(path.split('/'), by.path.split('/')),
    ],
  }));
  return ranked.reduce((best, each) => (isHigher(each.rank, best.rank) ? each : best)).path;
}

/** How many parts of two paths are equal, from the last one. */
export function countEqualParts(path: string, other: string): number {
  return countEqual(path.split('/').reverse(), other.split('/').reverse());
}

function countEqual(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((part, index) => part !== b[index]);
  return at < 0 ? a.length : at;
}

function isHigher(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0);
}
