import type { Split } from '../dataset.js';
import type { FoundFile } from './find-file.js';
import { chooseClaims, type ImageClaim } from './image-claims.js';
import { baseOf, type PlannedImage, type PlannedLabel } from './plan.js';
import type { PlanFindings } from './plan-findings.js';

/** What one file says of an image. */
interface SaidOfImage {
  readonly split: Split | null;
  /** Null when the file cannot say what it shows. */
  readonly labels: readonly PlannedLabel[] | null;
  readonly lost: number;
}

/** What one file says of an image by one name. */
interface Gathered extends ImageClaim {
  split: Split | null;
  lost: number;
  /** Whether the file should say what the image shows, and does not. */
  isDoubtful: boolean;
  readonly labels: PlannedLabel[];
}

/**
 * What the files of a tree say of its images. Several files may speak of one image: their labels are united, and one that two
 * files have is taken once, while one that a file has twice stays twice. An image is taken for a name in other capital letters only
 * where no file names it exactly, and none in a third spelling: those are names of images that are not there. Nor does an image have
 * labels of names that may be of another one.
 */
export class PlannedImages {
  /** By path, then by the file and the name that it gives the image. */
  readonly #claims = new Map<string, Map<string, Gathered>>();
  #isEmptyDoubtful = false;

  /** A file was lost that may say something of any image: none counts as showing nothing because the others say nothing. */
  doubtEmpty(): void {
    this.#isEmptyDoubtful = true;
  }

  /** @param source the file that says it */
  add(found: FoundFile, source: string, { split, labels, lost }: SaidOfImage): void {
    const claim = this.#claimOf(found, source);
    claim.split ??= split;
    claim.lost += lost;
    if (labels === null) claim.isDoubtful = true;
    else for (const label of labels) claim.labels.push(label);
  }

  /** These images in their order, and others that were found; `splitOf` says the split where no file does. */
  list(
    paths: readonly string[],
    findings: PlanFindings,
    splitOf: (path: string) => Split | null = () => null,
  ): readonly PlannedImage[] {
    const all = new Set([...paths, ...this.#claims.keys()]);
    const named = new Map<string, number>();
    for (const path of all) named.set(nameOf(path), (named.get(nameOf(path)) ?? 0) + 1);
    return [...all].map((path) => {
      const claims = this.#chooseClaims(path, named.get(nameOf(path)) === 1, findings);
      if (claims.length === 0) return { path, split: splitOf(path), labels: null, lost: 0 };
      const labels = unite(path, claims, findings);
      const lost = claims.reduce((sum, claim) => sum + claim.lost, 0);
      const isDoubtful = claims.some((claim) => claim.isDoubtful);
      const split = claims.find((claim) => claim.split !== null)?.split ?? splitOf(path);
      if (labels.length > 0) return { path, split, labels, lost, ...(isDoubtful && { isIncomplete: true }) };
      return { path, split, labels: isDoubtful || this.#isEmptyDoubtful ? null : labels, lost };
    });
  }

  #claimOf(found: FoundFile, source: string): Gathered {
    const claims = this.#claims.get(found.path) ?? new Map<string, Gathered>();
    this.#claims.set(found.path, claims);
    const key = JSON.stringify([source, found.otherCase, found.name]);
    const known = claims.get(key);
    if (known) return known;
    const labels: PlannedLabel[] = [];
    const keys = () => labels.map(keyOf);
    const claim = { source, found, split: null, lost: 0, isDoubtful: false, labels, keys };
    claims.set(key, claim);
    return claim;
  }

  #chooseClaims(path: string, isOnly: boolean, findings: PlanFindings): readonly Gathered[] {
    const all = [...(this.#claims.get(path)?.values() ?? [])];
    const exact = all.filter(({ found }) => found.otherCase === null);
    const spellings = new Set(all.flatMap(({ found }) => found.otherCase ?? []));
    const isOtherCase = exact.length === 0 && spellings.size === 1;
    const candidates = isOtherCase ? all : exact;
    if (candidates.length < all.length) {
      for (const { source, found, labels } of all)
        if (found.otherCase !== null) reportGone(source, found, labels.length, findings);
    }
    const { kept, lost, differing } = chooseClaims(path, candidates, isOnly);
    for (const { claim, reason } of lost) {
      const { source, found, labels } = claim;
      if (reason === 'gone') reportGone(source, found, labels.length, findings);
      else if (reason === 'farther') {
        const message = `${source} lists it, and is taken to mean another image than ${path}, since a file of the same name that is nearer to that says something else: join the files, or name images with their folders`;
        findings.add('no-image', toName(found), message, labels.length);
      } else {
        const message = `${source} lists it, and whether ${path} is it cannot be known, since that may be another image of its name: add the others, in the folders that the list says`;
        findings.add('no-image', toName(found), message, labels.length);
      }
    }
    if (differing.length > 0) {
      const sources = [...new Set(differing.map(({ source }) => source))].slice(0, 3).join(' and ');
      findings.add('unclear', path, `${sources} say different things of it, and the labels of all are taken`);
    }
    if (isOtherCase && kept.length > 0) {
      const [name = ''] = spellings;
      findings.add('unclear', path, `it is taken for ${name}, whose capital letters are others`);
    }
    return kept;
  }
}

/** Of an image, in which names of other capital letters are equal. */
function nameOf(path: string): string {
  return baseOf(path).normalize('NFC').toLowerCase();
}

function reportGone(source: string, found: FoundFile, labels: number, findings: PlanFindings): void {
  findings.add('no-image', toName(found), `${source} lists it, and it is not there`, labels);
}

function toName({ name }: FoundFile): string {
  return [...name].reverse().join('/');
}

function unite(path: string, claims: readonly Gathered[], findings: PlanFindings): readonly PlannedLabel[] {
  const [first, ...others] = claims;
  if (others.length === 0) return first?.labels ?? [];
  const united: PlannedLabel[] = [];
  const counts = new Map<string, number>();
  for (const { source, labels } of claims) {
    const own = new Map<string, number>();
    let repeated = 0;
    for (const label of labels) {
      const key = keyOf(label);
      const nth = (own.get(key) ?? 0) + 1;
      own.set(key, nth);
      if (nth <= (counts.get(key) ?? 0)) repeated += 1;
      else {
        counts.set(key, nth);
        united.push(label);
      }
    }
    if (repeated === 0) continue;
    findings.add('repeated-label', path, `another file has labels of ${source} too`, repeated);
  }
  return united;
}

/** The same for labels that differ by the rounding of programs only. */
function keyOf({ className, box, unit, declared }: PlannedLabel): string {
  const corners = box && [box.xMin, box.yMin, box.xMax, box.yMax];
  const scale = unit === 'share' ? 10_000 : 10;
  const rounded = corners?.map((corner) => Math.round(corner * scale));
  return JSON.stringify([className, unit, rounded, declared?.width, declared?.height]);
}
