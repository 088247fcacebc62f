import type { Split } from '../dataset.js';
import type { FoundFile } from './find-file.js';
import type { PlannedImage, PlannedLabel } from './plan.js';
import type { PlanFindings } from './plan-findings.js';

/** What one file says of an image. */
export interface SaidOfImage {
  readonly split: Split | null;
  /** Null when the file cannot say what it shows. */
  readonly labels: readonly PlannedLabel[] | null;
  readonly lost: number;
}

interface Gathered {
  split: Split | null;
  lost: number;
  /** Whether a file that should say what it shows does not. */
  isDoubtful: boolean;
  readonly bySource: Map<string, PlannedLabel[]>;
}

/**
 * What the files of a tree say of its images. Several files may speak of one image: their labels are united, and one that two
 * files have is taken once, while one that a file has twice stays twice. An image is taken for a name in other capital letters only
 * where no file names it exactly, and none in a third spelling: those are names of images that are not there.
 */
export class PlannedImages {
  readonly #byPath = new Map<string, Gathered>();
  /** By path, and by the spelling of its name in other capital letters. */
  readonly #ofOtherCase = new Map<string, Map<string, Gathered>>();
  #isEmptyDoubtful = false;

  /** A file was lost that may say something of any image: none counts as showing nothing because the others say nothing. */
  doubtEmpty(): void {
    this.#isEmptyDoubtful = true;
  }

  /** @param source the file that says it */
  add({ path, otherCase }: FoundFile, source: string, { split, labels, lost }: SaidOfImage): void {
    const known = this.#gatheredOf(path, otherCase);
    known.split ??= split;
    known.lost += lost;
    if (labels === null) {
      known.isDoubtful = true;
      return;
    }
    const own = known.bySource.get(source) ?? [];
    known.bySource.set(source, own);
    for (const label of labels) own.push(label);
  }

  /** These images in their order, and others that were found; `splitOf` says the split where no file does. */
  list(
    paths: readonly string[],
    findings: PlanFindings,
    splitOf: (path: string) => Split | null = () => null,
  ): readonly PlannedImage[] {
    const all = new Set([...paths, ...this.#byPath.keys(), ...this.#ofOtherCase.keys()]);
    return [...all].map((path) => {
      const known = this.#chooseSpelling(path, findings);
      if (!known) return { path, split: splitOf(path), labels: null, lost: 0 };
      const labels = unite(path, known.bySource, findings);
      const { lost, isDoubtful } = known;
      const split = known.split ?? splitOf(path);
      if (labels.length > 0) return { path, split, labels, lost, ...(isDoubtful && { isIncomplete: true }) };
      return { path, split, labels: isDoubtful || this.#isEmptyDoubtful ? null : labels, lost };
    });
  }

  #gatheredOf(path: string, otherCase: string | null): Gathered {
    const [key, index] =
      otherCase === null ? [path, this.#byPath] : [otherCase, this.#ofOtherCase.get(path) ?? new Map()];
    if (otherCase !== null) this.#ofOtherCase.set(path, index);
    const known = index.get(key) ?? { split: null, lost: 0, isDoubtful: false, bySource: new Map() };
    index.set(key, known);
    return known;
  }

  #chooseSpelling(path: string, findings: PlanFindings): Gathered | undefined {
    const own = this.#byPath.get(path);
    const spellings = [...(this.#ofOtherCase.get(path) ?? [])];
    const [only, ...others] = spellings;
    if (own === undefined && only && others.length === 0) {
      const [name, known] = only;
      findings.add('unclear', path, `it is taken for ${name}, whose capital letters are others`);
      return known;
    }
    for (const [name, { bySource }] of spellings) {
      for (const [source, { length }] of bySource)
        findings.add('no-image', name, `${source} lists it, and it is not there`, length);
    }
    return own;
  }
}

function unite(
  path: string,
  bySource: ReadonlyMap<string, readonly PlannedLabel[]>,
  findings: PlanFindings,
): readonly PlannedLabel[] {
  const [first = []] = bySource.values();
  if (bySource.size < 2) return first;
  const united: PlannedLabel[] = [];
  const counts = new Map<string, number>();
  for (const [source, labels] of bySource) {
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
