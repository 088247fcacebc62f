import type { Split } from '../dataset.js';
import { countEqual, type FoundFile } from './find-file.js';
import { baseOf, splitOfFolders } from './plan.js';

/** A file that names an image: one that has another name may mean another image, which is not there. */
export interface ImageClaim {
  /** The file. */
  readonly source: string;
  readonly split: Split | null;
  readonly found: FoundFile;
  /** What it says that the image shows, as texts that are equal for equal labels. */
  readonly keys: () => readonly string[];
}

/**
 * Why a claim is not taken: its image is not there (`gone`); which of the claims is of the image cannot be known (`unclear`); or a
 * file of the same name that is nearer to the image says something else (`farther`).
 */
type LostReason = 'gone' | 'unclear' | 'farther';

interface ChosenClaims<T extends ImageClaim> {
  readonly kept: readonly T[];
  /** Those that mean another image, or may. */
  readonly lost: readonly { readonly claim: T; readonly reason: LostReason }[];
  /** Files of one name that say different things of the image and are all taken. */
  readonly differing: readonly T[];
}

/**
 * Of the files that name an image, those that mean it. The name with most of its folders does; then one that has no other folders.
 * Others do where they are the same with fewer folders, and of another file: `1.jpg` beside `images/1.jpg`. Files of one name in
 * several folders may be of a set each (`train/boxes.csv`, `valid/boxes.csv`): of those that contradict each other, the one that is
 * nearest to the image means it; where several are as near, all do if there is no other image of the name.
 * @param isOnly whether no other image has the same name in another folder
 */
export function chooseClaims<T extends ImageClaim>(
  path: string,
  claims: readonly T[],
  isOnly: boolean,
): ChosenClaims<T> {
  if (claims.length < 2) return { kept: claims, lost: [], differing: [] };
  const ofName = chooseName(claims);
  const ofSplit = chooseSplit(path, ofName.kept);
  const ofSets = chooseSets(path, ofSplit.kept, isOnly);
  return { ...ofSets, lost: [...ofName.lost, ...ofSplit.lost, ...ofSets.lost] };
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
  if (meant === undefined)
    return { kept: [], lost: claims.map((claim) => ({ claim, reason: 'unclear' })), differing: [] };
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
  if (own === null || claims.every(({ split }) => split !== own))
    return { kept: claims, lost: [], differing: [] };
  return divide(claims, ({ split }) => split === null || split === own);
}

function chooseSets<T extends ImageClaim>(
  path: string,
  claims: readonly T[],
  isOnly: boolean,
): ChosenClaims<T> {
  const bySet = new Map<string, T[]>();
  for (const claim of claims) {
    const set = bySet.get(baseOf(claim.source)) ?? [];
    bySet.set(baseOf(claim.source), set);
    set.push(claim);
  }
  const chosen = [...bySet.values()].map((set) => chooseInSet(path, set, isOnly));
  return {
    kept: chosen.flatMap(({ kept }) => kept),
    lost: chosen.flatMap(({ lost }) => lost),
    differing: chosen.flatMap(({ differing }) => differing),
  };
}

/** Of files of one name in several folders. */
function chooseInSet<T extends ImageClaim>(
  path: string,
  set: readonly T[],
  isOnly: boolean,
): ChosenClaims<T> {
  const folders = path.split('/');
  const ofSource = new Map<string, string[]>();
  for (const { source, keys } of set) ofSource.set(source, [...(ofSource.get(source) ?? []), ...keys()]);
  // Claims of one file never contradict each other.
  if (ofSource.size < 2) return { kept: set, lost: [], differing: [] };
  const labelsOf = new Map([...ofSource].map(([source, keys]) => [source, keys.sort().join('\n')]));
  const nearness = ({ source, found }: T) =>
    (isOnly ? 0 : found.matched * 10_000) + countEqual(folders, source.split('/').slice(0, -1));
  const most = set.reduce((max, claim) => Math.max(max, nearness(claim)), 0);
  const nearest = set.filter((claim) => nearness(claim) === most);
  const said = new Set(nearest.map(({ source }) => labelsOf.get(source)));
  // A name with all folders of the image is of no other one.
  const isSure = ({ found }: T) => found.matched > 1 && found.matched === folders.length;
  const isUnclear = said.size > 1 && !isOnly;
  const isKept = (claim: T) =>
    isSure(claim) || (!isUnclear && (nearness(claim) === most || said.has(labelsOf.get(claim.source))));
  const kept = set.filter(isKept);
  const keptLabels = new Set(kept.map(({ source }) => labelsOf.get(source)));
  return {
    kept,
    lost: set
      .filter((claim) => !isKept(claim))
      .map((claim) => ({ claim, reason: isUnclear ? 'unclear' : 'farther' })),
    differing: keptLabels.size > 1 ? kept : [],
  };
}

function divide<T extends ImageClaim>(claims: readonly T[], isKept: (claim: T) => boolean): ChosenClaims<T> {
  return {
    kept: claims.filter(isKept),
    lost: claims.filter((claim) => !isKept(claim)).map((claim) => ({ claim, reason: 'gone' })),
    differing: [],
  };
}

function keyOf({ name }: FoundFile): string {
  return name.join('/');
}

/** Whether a name is another one without its first folders. */
function isEndOf({ name }: FoundFile, other: FoundFile): boolean {
  return countEqual(name, other.name) === name.length;
}
