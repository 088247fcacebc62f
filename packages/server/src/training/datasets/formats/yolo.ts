import type { Split } from '../dataset.js';
import { countEqualParts, indexFiles, notThere } from './find-file.js';
import {
  baseOf,
  FormatError,
  maybeImage,
  type Plan,
  type PlannedImage,
  type PlannedLabel,
  splitOf,
  splitOfFolders,
  stemOf,
  type Tree,
} from './plan.js';
import { PlanFindings } from './plan-findings.js';
import { tryRead } from './try-read.js';
import { chooseReading, parseLines, type YoloFault, type YoloLine } from './yolo-lines.js';
import { isNamesList, readNames } from './yolo-names.js';

interface ReadImage {
  readonly path: string;
  readonly split: Split | null;
  /** Its list of boxes, and what it holds. */
  readonly list: { readonly file: string; readonly lines: readonly YoloLine[]; readonly lost: number } | null;
}

/**
 * YOLO: a text file an image, a line a box as `class x y width height` in shares of the sides, with the points of a pose
 * behind it, or `class x y x y x y …` around the object; names in `data.yaml`, `classes.txt` or `obj.names`; folders say
 * the split, or lists of images.
 */
export async function planYolo(tree: Tree): Promise<Plan> {
  const findings = new PlanFindings();
  const { names, shape } = await readNames(tree, findings);
  const paths = tree.paths.filter(maybeImage);
  const lists = new Set(tree.paths.filter((path) => /\.txt$/i.test(path) && !isNames(path)));
  const splits = await readSplits(tree, paths, lists, findings);
  const ofOthers = new Set(paths.flatMap((path) => listOf(path, lists) ?? []));
  const strays = assignStrays(
    paths.filter((path) => listOf(path, lists) === undefined),
    [...lists].filter((path) => !ofOthers.has(path)),
    findings,
  );
  const used = new Set<string>();
  const read: ReadImage[] = [];
  /** Null for a file that cannot be read, of which it is not known how many labels it had. */
  const readList = async (file: string) => {
    const parsed = await tryRead(tree, file, (text) => parseLines(text, shape));
    if (!(parsed instanceof FormatError)) return parsed;
    findings.add('bad-label', file, parsed.message);
    return null;
  };
  for (const path of paths) {
    const split = splits.get(path) ?? splitOfFolders(path);
    const file = listOf(path, lists) ?? strays.byImage.get(path);
    if (file === undefined) {
      read.push({ path, split, list: null });
      continue;
    }
    if (used.has(file))
      findings.add(
        'unclear',
        file,
        `several images are called as it, ${path} among them: each gets its labels`,
      );
    used.add(file);
    const parsed = await readList(file);
    if (parsed === null) {
      read.push({ path, split, list: null });
      continue;
    }
    const { lines, faults } = parsed;
    reportFaults(file, faults, findings);
    read.push({ path, split, list: { file, lines, lost: faults.length } });
  }
  const stems = new Set(paths.map(stemInNfc));
  for (const file of lists) {
    const isCalled = strays.contested.has(file) || stems.has(stemInNfc(file));
    if (used.has(file) || !(isCalled || /(^|\/)labels\//i.test(file))) continue;
    const parsed = await readList(file);
    const count = parsed === null ? 0 : parsed.lines.length + parsed.faults.length;
    const message = isCalled
      ? 'several images or lists in other folders are called as it, so that its image cannot be known'
      : 'the image of its name is not there';
    findings.add('no-image', file, message, count);
  }
  const toLabel = labelReader(read, findings);
  const classes = new Set(names.values());
  const labelled = new Set<string>();
  const images = read.map(({ path, split, list }): PlannedImage => {
    if (list === null) return { path, split, labels: null, lost: 0 };
    const labels: PlannedLabel[] = [];
    let { lost } = list;
    for (const line of list.lines) {
      const className = names.size > 0 ? names.get(line.index) : `class ${line.index}`;
      if (className === undefined) {
        lost += 1;
        findings.add(
          'unknown-class',
          list.file,
          `class ${line.index} has no name: ${describeNames(names)}`,
          1,
        );
        continue;
      }
      classes.add(className);
      labelled.add(className);
      labels.push({ className, ...toLabel(line) });
    }
    return { path, split, labels, lost };
  });
  const unlabelled = [...classes].filter((name) => !labelled.has(name));
  return { format: 'yolo', classes: [...classes], unlabelled, images, findings: findings.list() };
}

function stemInNfc(path: string): string {
  return stemOf(path).normalize('NFC');
}

/** What nothing in the files says for sure. */
const unclearReadings = {
  'polygon-or-pose':
    'its long lines are read as polygons. When they are boxes with the points of a pose, give kpt_shape in data.yaml',
  pose: 'its long lines are read as boxes with the points of a pose. When they are, give kpt_shape in data.yaml; when they are polygons, write their points in the order around the object, and no score',
} as const;

/** Reads long lines as all of the dataset are read. */
function labelReader(images: readonly ReadImage[], findings: PlanFindings) {
  const lines = images.flatMap(({ list }) => list?.lines ?? []);
  const reading = chooseReading(lines.flatMap(({ long }) => long ?? []));
  if (reading !== 'polygon') {
    const example = images.find(({ list }) => list?.lines.some(({ long }) => long))?.path ?? null;
    findings.add('unclear', example, unclearReadings[reading]);
  }
  return ({ box, long }: YoloLine): Pick<PlannedLabel, 'box' | 'unit' | 'outline'> => {
    const ofPose = reading === 'pose' ? long?.pose?.box : undefined;
    if (box ?? ofPose) return { box: box ?? ofPose ?? null, unit: 'share' };
    return { box: long?.polygon?.box ?? null, unit: 'share', outline: 'polygon' };
  };
}

function reportFaults(file: string, faults: readonly YoloFault[], findings: PlanFindings): void {
  const byReason = new Map<string, { first: number; count: number }>();
  for (const { line, reason } of faults) {
    const known = byReason.get(reason);
    if (known) known.count += 1;
    else byReason.set(reason, { first: line, count: 1 });
  }
  for (const [reason, { first, count }] of byReason) {
    const others = count > 1 ? `; so do ${count - 1} more` : '';
    findings.add('bad-label', file, `line ${first} ${reason}${others}`, count);
  }
}

function describeNames(names: ReadonlyMap<number, string>): string {
  const numbers = [...names.keys()];
  return `${names.size} are named, from ${numbers[0]} to ${numbers.at(-1)}`;
}

/** Beside the image, or in the folder `labels` that mirrors `images`. */
function listOf(path: string, lists: ReadonlySet<string>): string | undefined {
  const beside = listBeside(path);
  const mirrored = beside.replace(/(^|\/)images\/(?!.*\/images\/)/i, '$1labels/');
  return [mirrored, beside].find((each) => lists.has(each));
}

/**
 * By image the list of boxes in another folder that is called as it. A list is of the image whose folders are the most alike, and of
 * none where several are as much alike.
 */
function assignStrays(
  images: readonly string[],
  lists: readonly string[],
  findings: PlanFindings,
): { readonly byImage: ReadonlyMap<string, string>; readonly contested: ReadonlySet<string> } {
  const find = indexFiles(lists);
  const claims = new Map<string, { image: string; rank: number; isContested: boolean }>();
  for (const image of images) {
    const found = find(listBeside(image));
    if (found.path === null) continue;
    const { path, otherCase } = found;
    const rank = otherCase === null ? countEqualParts(path, listBeside(image)) : 0;
    const known = claims.get(path);
    if (!known || rank > known.rank) claims.set(path, { image, rank, isContested: false });
    else if (rank === known.rank) known.isContested = true;
  }
  const own = [...claims].filter(([, { isContested }]) => !isContested);
  for (const [list, { image, rank }] of own) {
    if (rank === 0)
      findings.add('unclear', list, `it is taken for ${listBeside(image)}, whose capital letters are others`);
  }
  return {
    byImage: new Map(own.map(([list, { image }]) => [image, list])),
    contested: new Set([...claims].flatMap(([list, { isContested }]) => (isContested ? [list] : []))),
  };
}

function listBeside(path: string): string {
  return path.replace(/\.[^./]*$/, '.txt');
}

function isNames(path: string): boolean {
  return isNamesList(path) || /^(README|LICENSE)(\.\w+)*$/i.test(baseOf(path));
}

/** By image, of lists such as Darknet's `train.txt`, whose lines are the paths of images. */
async function readSplits(
  tree: Tree,
  images: readonly string[],
  lists: ReadonlySet<string>,
  findings: PlanFindings,
): Promise<ReadonlyMap<string, Split>> {
  const find = indexFiles(images);
  const ofImages = new Set(images.flatMap((path) => listOf(path, lists) ?? []));
  const splits = new Map<string, Split>();
  for (const path of lists) {
    const split = /^(train|val|valid|validation|test)$/i.test(stemOf(path)) ? splitOf(stemOf(path)) : null;
    if (split === null || ofImages.has(path)) continue;
    const lines = await tryRead(tree, path, (text) => text.split('\n'));
    if (lines instanceof FormatError) {
      findings.add('ignored-file', path, lines.message);
      continue;
    }
    for (const line of lines) {
      const image = line.trim() === '' ? notThere : find(line.trim(), { path, split });
      if (image.path !== null) splits.set(image.path, split);
    }
  }
  return splits;
}
