import type { Split } from '../dataset.js';
import { PathBranches } from './path-branches.js';
import { splitOfFolders } from './plan.js';

/** Where a name was read, which tells apart files that have it in several folders. */
export interface NamedBy {
  /** The file that names it. */
  readonly path: string;
  readonly split: Split | null;
}

/**
 * Chooses among paths that a name fits equally: likely ones first, then those of the split that is said, then the nearest to the
 * file that names it. Null where several remain.
 */
export class NearestPath {
  readonly #likely: readonly string[];
  /** By the first parts of the paths; of a split, those whose folders say it. */
  readonly #bySplit = new Map<Split | null, PathBranches>();

  constructor(paths: readonly string[], isUnlikely: ReadonlySet<string>) {
    const likely = paths.filter((path) => !isUnlikely.has(path));
    this.#likely = likely.length > 0 ? likely : paths;
  }

  choose(by: NamedBy | undefined): string | null {
    const ofSplit = by?.split ? this.#of(by.split).paths : [];
    const candidates = this.#of(ofSplit.length > 0 && by ? by.split : null);
    const nearest = by ? candidates.follow(by.path.normalize('NFC').split('/')) : candidates;
    return nearest.paths.length === 1 ? (nearest.paths[0] ?? null) : null;
  }

  #of(split: Split | null): PathBranches {
    const known = this.#bySplit.get(split);
    if (known) return known;
    const paths =
      split === null ? this.#likely : this.#likely.filter((path) => splitOfFolders(path) === split);
    const branches = new PathBranches(paths, 'first');
    this.#bySplit.set(split, branches);
    return branches;
  }
}
