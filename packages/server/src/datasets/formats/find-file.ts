import type { Split } from '../dataset.js';
import { baseOf, splitOfFolders, stemOf } from './plan.js';
import type { PlanFindings } from './plan-findings.js';

/** Where a name was read, which tells apart files that have it in several folders. */
export interface NamedBy {
  /** The file that names it. */
  readonly path: string;
  readonly split: Split | null;
}

export type FindFile = (name: string, by?: NamedBy) => string | null;

/**
 * Finds files by the names that annotations give them: with or without folders, of another machine or not, as an address too.
 * The one with most folders of the name wins; then one of the split that is said, then the nearest to the file that names it.
 * Where no file has the name, the only one that has it in other capital letters is found.
 * @param onOtherCase called with such a file
 */
export function indexFiles(
  paths: readonly string[],
  onOtherCase: (path: string, name: string) => void = () => undefined,
): FindFile {
  const exact = indexBy(paths, (text) => text);
  const folded = indexBy(paths, (text) => text.toLowerCase());
  return (name, by) => {
    const spellings = [...spellingsOf(name)].map(partsOf);
    for (const parts of spellings) {
      const own = exact(parts);
      if (own) return bestOf(own, parts, by);
    }
    for (const parts of spellings) {
      const [only, ...others] = folded(parts) ?? [];
      if (only === undefined || others.length > 0) continue;
      onOtherCase(only, name);
      return only;
    }
    return null;
  };
}

/** For `indexFiles`: reports the file that was taken for a name. */
export function noteOtherCase(findings: PlanFindings): (path: string, name: string) => void {
  return (path, name) =>
    findings.add('unclear', path, `it is taken for ${name}, whose capital letters are others`);
}

/** By the last part of a name; by its stem where it has no ending. */
function indexBy(paths: readonly string[], toKey: (text: string) => string) {
  const byBase = new Map<string, string[]>();
  const byStem = new Map<string, string[]>();
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

function push(index: Map<string, string[]>, key: string, path: string): void {
  const list = index.get(key);
  if (list) list.push(path);
  else index.set(key, [path]);
}

function bestOf(paths: readonly string[], parts: readonly string[], by?: NamedBy): string | null {
  if (paths.length < 2) return paths[0] ?? null;
  const ranked = paths.map((path) => ({
    path,
    rank: [
      countEqual(path.split('/').reverse(), parts),
      by !== undefined && by.split !== null && splitOfFolders(path) === by.split ? 1 : 0,
      by === undefined ? 0 : countEqual(path.split('/'), by.path.split('/')),
    ],
  }));
  return ranked.reduce((best, each) => (isHigher(each.rank, best.rank) ? each : best)).path;
}

function countEqual(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((part, index) => part !== b[index]);
  return at < 0 ? a.length : at;
}

function isHigher(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0);
}
