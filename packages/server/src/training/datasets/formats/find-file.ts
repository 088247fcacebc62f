import { type NamedBy, NearestPath } from './nearest-path.js';
import { PathBranches } from './path-branches.js';
import { baseOf, stemOf } from './plan.js';

export interface FoundFile {
  readonly path: string;
  /** How the name is spelled where the file has it in other capital letters; null where it has the same ones. */
  readonly otherCase: string | null;
  /** The name of the file and the folders that the given name has, from the last part to the first. */
  readonly name: readonly string[];
  /** How many parts of the name are those of the path, from the last one. */
  readonly matched: number;
}

export interface NoFile {
  readonly path: null;
  /** Completes "NAME is in the list, and …". */
  readonly reason: string;
}

export type FindFile = (name: string, by?: NamedBy) => FoundFile | NoFile;

export const notThere: NoFile = { path: null, reason: 'it is not there' };

export function severalFiles(paths: readonly string[]): NoFile {
  const names = paths.slice(0, 2).join(' and ');
  return {
    path: null,
    reason: `${paths.length} images may be it, such as ${names}: name it with its folders`,
  };
}

/**
 * Finds files by the names that annotations give them: with or without folders, of another machine or not, as an address too.
 * The one with most folders of the name wins; then one of the split that is said, then the nearest to the file that names it; where
 * several remain, the one whose whole path it is, or none. Where no file has the name, the only one that has it in other capital letters is found.
 * @param unlikely files that are found only where none of `paths` has as much of the name
 */
export function indexFiles(paths: readonly string[], unlikely: readonly string[] = []): FindFile {
  const isUnlikely = new Set(unlikely);
  const all = [...paths, ...unlikely];
  const exact = new FilesByName(all, baseOf, isUnlikely);
  const exactStem = new FilesByName(all, stemOf, isUnlikely);
  const folded = new FilesByName(paths, (path) => baseOf(path).toLowerCase());
  const foldedStem = new FilesByName(paths, (path) => stemOf(path).toLowerCase());
  return (name, by) => {
    const spellings = [...spellingsOf(name)].map(partsOf);
    let missing: NoFile | undefined;
    for (const parts of spellings) {
      const [base = ''] = parts;
      const found = exact.find(base, parts, by) ?? (hasEnding(base) ? null : exactStem.find(base, parts, by));
      if (found && found.path !== null) return found;
      missing ??= found ?? undefined;
    }
    if (missing) return missing;
    for (const parts of spellings) {
      const [base = ''] = parts;
      const key = base.toLowerCase();
      const path = folded.has(key) ? folded.only(key) : hasEnding(base) ? undefined : foldedStem.only(key);
      if (path !== undefined) return { path, otherCase: base, name: parts, matched: 1 };
    }
    return notThere;
  };
}

function hasEnding(base: string): boolean {
  return base.includes('.');
}

/** As `indexFiles`, for images that are called as the file that is of them, but for the ending. */
export function indexFilesByStem(paths: readonly string[]): (by: NamedBy) => FoundFile | NoFile {
  const exact = new FilesByName(paths, stemOf);
  const folded = new FilesByName(paths, (path) => stemOf(path).toLowerCase());
  return (by) => {
    const parts = partsOf(by.path.replace(/\.[^./]*$/, ''));
    const [stem = ''] = parts;
    const found = exact.find(stem, parts, by);
    // The folders are those of the file, and it does not say those of the image.
    if (found) return found.path === null ? found : { ...found, name: found.name.slice(0, 1) };
    const path = folded.only(stem.toLowerCase());
    return path === undefined ? notThere : { path, otherCase: stem, name: [stem], matched: 1 };
  };
}

/** Files by their name, or by a part of it; several of one name are in different folders. */
class FilesByName {
  readonly #paths = new Map<string, [string, ...string[]]>();
  readonly #several = new Map<string, FilesOfName>();
  readonly #isUnlikely: ReadonlySet<string>;

  constructor(
    paths: readonly string[],
    keyOf: (path: string) => string,
    isUnlikely: ReadonlySet<string> = new Set(),
  ) {
    this.#isUnlikely = isUnlikely;
    for (const path of paths) {
      const key = keyOf(path.normalize('NFC'));
      const list = this.#paths.get(key);
      if (list) list.push(path);
      else this.#paths.set(key, [path]);
    }
  }

  has(key: string): boolean {
    return this.#paths.has(key);
  }

  only(key: string): string | undefined {
    const paths = this.#paths.get(key);
    return paths?.length === 1 ? paths[0] : undefined;
  }

  /** @param parts the name from its last part on; null where no file has the key */
  find(key: string, parts: readonly string[], by: NamedBy | undefined): FoundFile | NoFile | null {
    const paths = this.#paths.get(key);
    if (!paths) return null;
    const folders = parts.slice(1);
    if (paths.length === 1) {
      const [only] = paths;
      const matched = 1 + countEqual(partsOf(only).slice(1), folders);
      return { path: only, otherCase: null, name: [baseOf(only).normalize('NFC'), ...folders], matched };
    }
    const several = this.#several.get(key) ?? new FilesOfName(paths, this.#isUnlikely);
    this.#several.set(key, several);
    return several.find(parts, by);
  }
}

/** Files of one name, in several folders. */
class FilesOfName {
  readonly #byLastParts: PathBranches;
  readonly #isUnlikely: ReadonlySet<string>;
  readonly #nearest = new Map<PathBranches, NearestPath>();

  constructor(paths: readonly string[], isUnlikely: ReadonlySet<string>) {
    // The last part is the name, or has its stem.
    this.#byLastParts = new PathBranches(paths, 'last', 1);
    this.#isUnlikely = isUnlikely;
  }

  find(parts: readonly string[], by: NamedBy | undefined): FoundFile | NoFile {
    const branch = this.#byLastParts.follow(parts);
    const path =
      branch.paths.length === 1
        ? branch.paths[0]
        : (this.#nearestOf(branch).choose(by) ?? onlyOf(parts.length <= branch.depth ? branch.ended : []));
    if (path == null) return severalFiles(branch.paths);
    const name = [baseOf(path).normalize('NFC'), ...parts.slice(1)];
    return { path, otherCase: null, name, matched: branch.depth };
  }

  #nearestOf(branch: PathBranches): NearestPath {
    const nearest = this.#nearest.get(branch) ?? new NearestPath(branch.paths, this.#isUnlikely);
    this.#nearest.set(branch, nearest);
    return nearest;
  }
}

function onlyOf(paths: readonly string[]): string | undefined {
  return paths.length === 1 ? paths[0] : undefined;
}

/** With the slash behind it; empty for a file at the root. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** From the last one to the first. */
function partsOf(name: string): readonly string[] {
  const parts = name.normalize('NFC').replaceAll('\\', '/').split('/');
  return parts.filter((part) => part !== '' && part !== '.' && part !== '..').reverse();
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

/** How many parts of two paths are equal, from the last one. */
export function countEqualParts(path: string, other: string): number {
  return countEqual(path.split('/').reverse(), other.split('/').reverse());
}

/** How many parts of two lists are equal, from their begin. */
export function countEqual(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((part, index) => part !== b[index]);
  return at < 0 ? a.length : at;
}
