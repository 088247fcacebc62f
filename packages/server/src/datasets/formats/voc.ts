import { XMLParser } from 'fast-xml-parser';
import type { Split } from '../dataset.js';
import { indexFiles } from './find-file.js';
import {
  baseOf,
  classNameOf,
  FormatError,
  maybeImage,
  numberOf,
  type Plan,
  type PlanFinding,
  type PlannedImage,
  type PlannedLabel,
  splitOf,
  splitOfFolders,
  stemOf,
  type Tree,
} from './plan.js';

export interface Annotation {
  readonly fileName: string | null;
  readonly labels: readonly PlannedLabel[];
  /** Of objects that cannot be used. */
  readonly faults: readonly string[];
}

const parser = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  processEntities: false,
  isArray: (name) => name === 'object',
});

/**
 * Pascal VOC: an XML file an image, and lists of `ImageSets/Main` that say the split. Coordinates are taken as they are
 * written, as labelling programs do.
 */
export async function planVoc(tree: Tree): Promise<Plan> {
  const findings: PlanFinding[] = [];
  const images = tree.paths.filter(maybeImage);
  const find = indexFiles(images);
  const byStem = new Map(images.map((path) => [withoutEnding(path), path]));
  const findStem = indexFiles([...byStem.keys()]);
  const splits = await readSets(tree);
  const planned = new Map<string, PlannedImage>();
  const classes = new Set<string>();
  for (const file of tree.paths.filter((path) => /\.xml$/i.test(path))) {
    const annotation = tryParse(await tree.readText(file), file, findings);
    if (annotation === null) continue;
    const by = { path: file, split: splits.get(stemOf(file)) ?? splitOfFolders(file) };
    const path =
      (annotation.fileName && find(annotation.fileName, by)) ||
      byStem.get(findStem(withoutEnding(file), by) ?? '');
    if (!path) {
      findings.push({
        problem: 'no-image',
        file,
        message: `its image ${annotation.fileName ?? stemOf(file)} is not there`,
      });
      continue;
    }
    for (const message of annotation.faults) findings.push({ problem: 'bad-label', file, message });
    for (const { className } of annotation.labels) classes.add(className);
    const split = splits.get(stemOf(file)) ?? splitOfFolders(path) ?? by.split;
    if (!planned.has(path)) planned.set(path, { path, split, labels: annotation.labels });
  }
  if (planned.size === 0 && findings.length === 0)
    throw new FormatError('no XML file in it is an annotation, as Pascal VOC has');
  for (const path of images) {
    if (!planned.has(path))
      planned.set(path, { path, split: splits.get(stemOf(path)) ?? null, labels: null });
  }
  return { format: 'voc', classes: [...classes].sort(), images: [...planned.values()], findings };
}

function withoutEnding(path: string): string {
  return path.replace(/\.[^./]*$/, '');
}

function tryParse(text: string, file: string, findings: PlanFinding[]): Annotation | null {
  try {
    return parseAnnotation(text);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    findings.push({ problem: 'bad-label', file, message: error.message });
    return null;
  }
}

/** Null for XML of another kind. Throws `FormatError` for what is no XML. */
export function parseAnnotation(text: string): Annotation | null {
  let document: unknown;
  try {
    document = parser.parse(text, true);
  } catch (cause) {
    throw new FormatError('it is not XML', { cause });
  }
  const annotation = fieldOf(document, 'annotation');
  if (typeof annotation !== 'object' || annotation === null) return null;
  const objects = fieldOf(annotation, 'object');
  const labels: PlannedLabel[] = [];
  const faults: string[] = [];
  for (const object of Array.isArray(objects) ? objects : []) {
    const label = toLabel(object);
    if (label) labels.push(label);
    else faults.push('an object has no name, or a bndbox that is not xmin, ymin, xmax, ymax');
  }
  return { fileName: unescaped(classNameOf(fieldOf(annotation, 'filename'))) ?? null, labels, faults };
}

function toLabel(object: unknown): PlannedLabel | null {
  const className = unescaped(classNameOf(fieldOf(object, 'name')));
  if (className === undefined) return null;
  const bndbox = fieldOf(object, 'bndbox');
  if (bndbox === undefined) return { className, box: null, unit: 'pixels' };
  const [xMin, yMin, xMax, yMax] = ['xmin', 'ymin', 'xmax', 'ymax'].map((side) =>
    numberOf(fieldOf(bndbox, side)),
  );
  if (xMin === undefined || yMin === undefined || xMax === undefined || yMax === undefined) return null;
  return { className, box: { xMin, yMin, xMax, yMax }, unit: 'pixels' };
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The five entities of XML itself; those that a document defines are left as they are written. */
function unescaped(text: string | undefined): string | undefined {
  return text?.replace(/&(amp|lt|gt|quot|apos);/g, (_all, name: string) => entities[name] ?? '');
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

/** By the stem of an image's name. */
async function readSets(tree: Tree): Promise<ReadonlyMap<string, Split>> {
  const splits = new Map<string, Split>();
  for (const path of tree.paths) {
    // A list of one class has its name before the split: those say nothing new.
    if (!/(^|\/)ImageSets\/(Main\/)?(train|val|test)\.txt$/i.test(path)) continue;
    const split = splitOf(baseOf(path).replace(/\.txt$/i, ''));
    if (split === null) continue;
    for (const line of (await tree.readText(path)).split('\n')) {
      const stem = line.trim();
      if (stem !== '') splits.set(stem, split);
    }
  }
  return splits;
}
