/** The end of a path from which its parts are compared. */
type PathEnd = 'first' | 'last';

interface Split {
  /** By the next part. */
  readonly branches: ReadonlyMap<string, PathBranches>;
  readonly ended: readonly string[];
}

/**
 * Paths that begin (or end) with the same parts, split further by their next part when that is asked for. Looking up each of many
 * paths of one name takes no time that grows with their number.
 */
export class PathBranches {
  /** All of them share `depth` parts from that end. */
  readonly paths: readonly string[];
  readonly depth: number;
  readonly #end: PathEnd;
  #split: Split | undefined;

  constructor(paths: readonly string[], end: PathEnd, depth = 0) {
    this.paths = paths;
    this.#end = end;
    this.depth = depth;
  }

  /** Those that share as many of these parts, in NFC, as any of them does. */
  follow(parts: readonly string[]): PathBranches {
    let branch: PathBranches = this;
    while (branch.depth < parts.length) {
      const next = branch.#next(parts[branch.depth] ?? '');
      if (!next) break;
      branch = next;
    }
    return branch;
  }

  /** Those that have no more parts. */
  get ended(): readonly string[] {
    this.#split ??= this.#splitPaths();
    return this.#split.ended;
  }

  #next(part: string): PathBranches | undefined {
    this.#split ??= this.#splitPaths();
    return this.#split.branches.get(part);
  }

  #splitPaths(): Split {
    const byPart = new Map<string, string[]>();
    const ended: string[] = [];
    for (const path of this.paths) {
      const part = partOf(path, this.#end, this.depth)?.normalize('NFC');
      if (part === undefined) {
        ended.push(path);
        continue;
      }
      const list = byPart.get(part);
      if (list) list.push(path);
      else byPart.set(part, [path]);
    }
    const branches = new Map(
      [...byPart].map(([part, paths]) => {
        // A list that nothing leaves is kept once, and not once a level.
        const own = paths.length === this.paths.length ? this.paths : paths;
        return [part, new PathBranches(own, this.#end, this.depth + 1)];
      }),
    );
    return { branches, ended };
  }
}

/** A part of a path by its place from one end, from 0. */
function partOf(path: string, end: PathEnd, index: number): string | undefined {
  let from = end === 'first' ? 0 : path.length;
  for (let at = 0; at < index; at += 1) {
    const slash = end === 'first' ? path.indexOf('/', from) : path.lastIndexOf('/', from - 1);
    if (slash < 0) return undefined;
    from = end === 'first' ? slash + 1 : slash;
  }
  if (end === 'last') return path.slice(path.lastIndexOf('/', from - 1) + 1, from);
  const slash = path.indexOf('/', from);
  return path.slice(from, slash < 0 ? undefined : slash);
}
