import { parse } from 'yaml';
import { indexFiles } from './find-file.js';
import {
  baseOf,
  classNameOf,
  FormatError,
  maybeImage,
  type Plan,
  type PlanFinding,
  type PlannedImage,
  type PlannedLabel,
  splitOfFolders,
  type Tree,
} from './plan.js';

/**
 * YOLO: a text file an image, a line a box as `class x y width height` in shares of the sides, or `class x y x y x y …`
 * around the object; names in `data.yaml`, `classes.txt` or `obj.names`; folders say the split.
 */
export async function planYolo(tree: Tree): Promise<Plan> {
  const findings: PlanFinding[] = [];
  const names = await readNames(tree);
  const lists = new Set(tree.paths.filter((path) => /\.txt$/i.test(path) && !isNames(path)));
  const paths = tree.paths.filter(maybeImage);
  const ofOthers = new Set(paths.flatMap((path) => listOf(path, lists) ?? []));
  const findStray = indexFiles([...lists].filter((path) => !ofOthers.has(path)));
  const used = new Set<string>();
  const classes = new Set(names);
  const images: PlannedImage[] = [];
  for (const path of paths) {
    const split = splitOfFolders(path);
    const list = listOf(path, lists) ?? findStray(listBeside(path)) ?? undefined;
    if (list === undefined) {
      images.push({ path, split, labels: null });
      continue;
    }
    used.add(list);
    const { boxes, faults } = parseBoxes(await tree.readText(list));
    for (const message of faults) findings.push({ problem: 'bad-label', file: list, message });
    const labels: PlannedLabel[] = [];
    for (const { index, box } of boxes) {
      const className = names.length > 0 ? names[index] : `class ${index}`;
      if (className === undefined) {
        findings.push({
          problem: 'unknown-class',
          file: list,
          message: `class ${index} is none of the ${names.length} that are named`,
        });
        continue;
      }
      classes.add(className);
      labels.push({ className, box, unit: 'share' });
    }
    images.push({ path, split, labels });
  }
  for (const file of lists) {
    if (used.has(file) || !/(^|\/)labels\//i.test(file)) continue;
    findings.push({ problem: 'no-image', file, message: 'the image of its name is not there' });
  }
  return { format: 'yolo', classes: [...classes], images, findings };
}

/** Beside the image, or in the folder `labels` that mirrors `images`. */
function listOf(path: string, lists: ReadonlySet<string>): string | undefined {
  const beside = listBeside(path);
  const mirrored = beside.replace(/(^|\/)images\/(?!.*\/images\/)/i, '$1labels/');
  return [mirrored, beside].find((each) => lists.has(each));
}

function listBeside(path: string): string {
  return path.replace(/\.[^./]*$/, '.txt');
}

export interface ShareBox {
  readonly index: number;
  readonly box: NonNullable<PlannedLabel['box']>;
}

/** The boxes of a text file, and what is wrong with its other lines. */
export function parseBoxes(text: string): {
  readonly boxes: readonly ShareBox[];
  readonly faults: readonly string[];
} {
  const boxes: ShareBox[] = [];
  const faults: string[] = [];
  text.split('\n').forEach((line, number) => {
    if (line.trim() === '') return;
    const values = line.trim().split(/\s+/).map(Number);
    const [index = -1, ...rest] = values;
    const box = values.every(Number.isFinite) && Number.isInteger(index) && index >= 0 ? boxOf(rest) : null;
    if (box) boxes.push({ index, box });
    else if (faults.length < 10)
      faults.push(`line ${number + 1} is not a class and a box in shares of the sides`);
  });
  return { boxes, faults };
}

/** Of four numbers, of four and a score, or of the points around an object. */
function boxOf(values: readonly number[]): ShareBox['box'] | null {
  const [x = 0, y = 0, width = 0, height = 0] = values;
  if (values.length === 4 || values.length === 5) {
    return { xMin: x - width / 2, yMin: y - height / 2, xMax: x + width / 2, yMax: y + height / 2 };
  }
  if (values.length < 6 || values.length % 2 !== 0) return null;
  const box = { xMin: Infinity, yMin: Infinity, xMax: -Infinity, yMax: -Infinity };
  for (let at = 0; at < values.length; at += 2) {
    const [px = 0, py = 0] = [values[at], values[at + 1]];
    box.xMin = Math.min(box.xMin, px);
    box.xMax = Math.max(box.xMax, px);
    box.yMin = Math.min(box.yMin, py);
    box.yMax = Math.max(box.yMax, py);
  }
  return box;
}

function isNames(path: string): boolean {
  return (
    /(^|\/)(classes\.txt|obj\.names|[^/]*\.names)$/i.test(path) ||
    /^(README|LICENSE)(\.\w+)*$/i.test(baseOf(path))
  );
}

async function readNames(tree: Tree): Promise<readonly string[]> {
  const lines = tree.paths.find(isNamesList);
  for (const path of tree.paths.filter((each) => /\.ya?ml$/i.test(each))) {
    const names = parseNames(await tree.readText(path), path);
    if (names !== null) return names;
  }
  if (lines === undefined) return [];
  return (await tree.readText(lines)).split('\n').flatMap((line) => classNameOf(line) ?? []);
}

function isNamesList(path: string): boolean {
  return /(^|\/)(classes\.txt|[^/]*\.names)$/i.test(path);
}

const maxNames = 10_000;

/** The names of a `data.yaml`, by number; null where it has none. Throws `FormatError` for what is no YAML. */
export function parseNames(text: string, path: string): readonly string[] | null {
  let value: unknown;
  try {
    value = parse(text, { maxAliasCount: 0, logLevel: 'silent' });
  } catch (cause) {
    throw new FormatError(`${path} is not YAML`, { cause });
  }
  const names: unknown =
    typeof value === 'object' && value !== null ? Reflect.get(value, 'names') : undefined;
  if (Array.isArray(names)) return names.map((name, index) => classNameOf(name) ?? `class ${index}`);
  if (typeof names !== 'object' || names === null) return null;
  const entries = Object.entries(names).map(([index, name]) => [Number(index), classNameOf(name)] as const);
  const last = Math.max(-1, ...entries.map(([index]) => index));
  if (!entries.every(([index]) => Number.isInteger(index) && index >= 0) || last >= maxNames) {
    throw new FormatError(`${path} numbers its names by something else than 0, 1, 2 …`);
  }
  const byIndex = new Map(entries);
  return Array.from({ length: last + 1 }, (_, index) => byIndex.get(index) ?? `class ${index}`);
}
