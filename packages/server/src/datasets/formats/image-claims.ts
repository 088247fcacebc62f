import type { Split } from '../dataset.js';
import { countEqual, type FoundFile } from './find-file.js';
import { baseOf, splitOfFolders } from './plan.js';

/** A file that names an image: one that has another name may mean another image, which is not there. */
export interface ImageClaim {
  /** The file. */
  readonly source: string;
  readonly split: Split | null;
  readonly found: FoundFile;
}

export interface ChosenClaims<T extends ImageClaim> {
  readonly kept: readonly T[];
  /** Those that mean another image, or may; `isUnclear`: which of the claims is of the image cannot be known. */
  readonly lost: readonly { readonly claim: T; readonly isUnclear: boolean }[];
}

/**
 * Of the files that name an image, those that mean it. The name with most of its folders does; then one that has no other folders.
 * Others do where they are the same with fewer folders, and of another file: `1.jpg` beside `images/1.jpg`. Files of one name in
 * several folders are of a set each (`train/boxes.csv`, `valid/boxes.csv`): the one that is nearest to the image means it.
 */
export function chooseClaims<T extends ImageClaim>(path: string, claims: readonly T[]): ChosenClaims<T> {
  if (claims.length < 2) return { kept: claims, lost: [] };
  const ofName = chooseName(claims);
  const ofSplit = chooseSplit(path, ofName.kept);
  const ofSet = chooseSets(path, ofSplit.kept);
  return { kept: ofSet.kept, lost: [...ofName.lost, ...ofSplit.lost, ...ofSet.lost] };
}

function chooseName<T extends ImageClaim>(claims: readonly T[]): ChosenClaims<T> {
  const most = claims.reduce((max, { found }) => Math.max(max, found.matched), 0);
  const closest = claims.filter(({ found }) => found.matched === most);
  const names = new Map(closest.map(({ found }) => [keyOf(found), found]));
  const perSource = new Map<string, Set<string>>();
  for (const { source, found } of closest)
    perSource.set(source, (perSource.get(source) ?? new Set()).add(keyOf(found)));
  const longest = [...names.values()].reduce((a, b) => (b.name.length > a.name.length ? b : a));
  const isOne =
    [...names.values()].every((found) => isEndOf(found, longest)) &&
    [...perSource.values()].every(({ size }) => size === 1);
  const whole = [...names.values()].filter(({ name, matched }) => name.length <= matched);
  const [meant] = isOne ? [longest] : whole.length === 1 ? whole : [];
  if (meant === undefined) return { kept: [], lost: claims.map((claim) => ({ claim, isUnclear: true })) };
  const meantName = keyOf(meant);
  const isMeant = ({ found }: T) =>
    isOne ? found.matched === most && names.has(keyOf(found)) : keyOf(found) === meantName;
  const sources = new Set(claims.filter(isMeant).map(({ source }) => source));
  const isKept = (claim: T) =>
    isMeant(claim) || (isOne && !sources.has(claim.source) && isEndOf(claim.found, meant));
  return divide(claims, isKept);
}

/** An image in a folder of one split is not that of a list of the other one, where a list of its own has it. */
function chooseSplit<T extends ImageClaim>(path: string, claims: readonly T[]): ChosenClaims<T> {
  const own = splitOfFolders(path);
  if (own === null || claims.every(({ split }) => split !== own)) return { kept: claims, lost: [] };
  return divide(claims, ({ split }) => split === null || split === own);
}

function chooseSets<T extends ImageClaim>(path: string, claims: readonly T[]): ChosenClaims<T> {
  const bySet = new Map<string, T[]>();
  for (const claim of claims) {
    const set = bySet.get(baseOf(claim.source)) ?? [];
    bySet.set(baseOf(claim.source), set);
    set.push(claim);
  }
  const [kept, lost]: [T[], ChosenClaims<T>['lost'][number][]] = [[], []];
  for (const set of bySet.values()) {
    const nearness = ({ source, found }: T) =>
      found.matched * 10_000 + countEqual(path.split('/'), source.split('/').slice(0, -1));
    const most = set.reduce((max, claim) => Math.max(max, nearness(claim)), 0);
    const nearest = new Set(set.filter((claim) => nearness(claim) === most));
    const isUnclear = new Set([...nearest].map(({ source }) => source)).size > 1;
    for (const claim of set) {
      if (nearest.has(claim) && !isUnclear) kept.push(claim);
      else lost.push({ claim, isUnclear });
    }
  }
  return { kept, lost };
}

function divide<T extends ImageClaim>(claims: readonly T[], isKept: (claim: T) => boolean): ChosenClaims<T> {
  return {
    kept: claims.filter(isKept),
    lost: claims.filter((claim) => !isKept(claim)).map((claim) => ({ claim, isUnclear: false })),
  };
}

function keyOf({ name }: FoundFile): string {
  return name.join('/');
}

/** Whether a name is another one without its first folders. */
function isEndOf({ name }: FoundFile, other: FoundFile): boolean {
  return countEqual(name, other.name) === name.length;
}
