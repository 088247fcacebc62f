import type { Split } from '../dataset.js';
import { baseOf, splitOfFolders } from './plan.js';

/** Where a name was read, which tells apart files that have it in several folders. */
export interface NamedBy {
  /** The file that names it. */
  readonly path: string;
  readonly split: Split | null;
}

/**
 * Finds files by the names that annotations give them: with or without folders, of another machine or not. The one with most
 * folders of the name wins; then one of the split that is said, then the nearest to the file that names it.
 */
export function indexFiles(paths: readonly string[]): (name: string, by?: NamedBy) => string | null {
  const byBase = new Map<string, string[]>();
  for (const path of paths) {
    const base = baseOf(path).normalize('NFC');
    const list = byBase.get(base);
    if (list) list.push(path);
    else byBase.set(base, [path]);
  }
  return (name, by) => {
    const wanted = name.normalize('NFC').replaceAll('\\', '/').split('/').filter(Boolean).reverse();
    const [base = ''] = wanted;
    const found = byBase.get(base) ?? [];
    if (found.length < 2) return found[0] ?? null;
    const ranked = found.map((path) => ({
      path,
      rank: [
        countEqual(path.split('/').reverse(), wanted),
        by !== undefined && by.split !== null && splitOfFolders(path) === by.split ? 1 : 0,
        by === undefined ? 0 : countEqual(path.split('/'), by.path.split('/')),
      ],
    }));
    return ranked.reduce((best, each) => (isHigher(each.rank, best.rank) ? each : best)).path;
  };
}

function countEqual(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((part, index) => part !== b[index]);
  return at < 0 ? a.length : at;
}

function isHigher(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0);
}
