import { XMLParser } from 'fast-xml-parser';
import type { Split } from '../dataset.js';
import { boxAroundRotated, boxOfCorners } from './box-corners.js';
import { type FoundFile, indexFiles, indexFilesByStem, type NoFile } from './find-file.js';
import {
  baseOf,
  classNameOf,
  FormatError,
  fieldOf,
  maybeImage,
  numberOf,
  OtherFormatError,
  type Plan,
  type PlannedLabel,
  type Size,
  sizeOf,
  splitOf,
  splitOfFolders,
  stemOf,
  type Tree,
} from './plan.js';
import { PlanFindings } from './plan-findings.js';
import { PlannedImages } from './planned-images.js';
import { tryRead } from './try-read.js';
import { unescapeXml } from './unescape-xml.js';

interface Annotation {
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
 * Pascal VOC: an XML file an image, with rotated boxes as roLabelImg writes them, and lists of `ImageSets/Main` that say the split. Coordinates are taken as they are
 * written, as labelling programs do.
 */
export async function planVoc(tree: Tree): Promise<Plan> {
  const findings = new PlanFindings();
  const paths = tree.paths.filter(maybeImage);
  const find = indexFiles(paths, tree.masks);
  const findStem = indexFilesByStem(paths);
  const splits = await readSets(tree, findings);
  const images = new PlannedImages();
  const classes = new Set<string>();
  const files = tree.paths.filter((path) => /\.xml$/i.test(path));
  const refusals: FormatError[] = [];
  let read = 0;
  for (const file of files) {
    const by = { path: file, split: splits.get(setNameOf(file)) ?? splitOfFolders(file) };
    const annotation = await tryRead(tree, file, (text) => parseAnnotation(text, file));
    if (annotation instanceof FormatError) {
      refusals.push(annotation);
      // How many labels it had is not known.
      findings.add('bad-label', file, annotation.message);
      const image = findStem(by);
      if (image.path !== null) images.add(image, file, { split: by.split, labels: null, lost: 0 });
      continue;
    }
    if (annotation === null) {
      findings.add('ignored-file', file, 'it is no annotation of an image, as Pascal VOC has');
      continue;
    }
    read += 1;
    const image = chooseImage(
      annotation.fileName === null ? null : find(annotation.fileName, by),
      findStem(by),
    );
    for (const message of annotation.faults) findings.add('bad-label', file, message, 1);
    if (image.path === null) {
      const message = `its image is ${annotation.fileName ?? stemOf(file)}, and ${image.reason}`;
      findings.add('no-image', file, message, annotation.labels.length);
      continue;
    }
    for (const { className } of annotation.labels) classes.add(className);
    const split = splits.get(setNameOf(file)) ?? splitOfFolders(image.path) ?? by.split;
    images.add(image, file, { split, labels: annotation.labels, lost: annotation.faults.length });
  }
  const [refusal] = refusals;
  if (refusal && refusals.length === files.length)
    throw new FormatError(`${refusal.message}. Correct it, or leave it out`, { cause: refusal });
  // XML that cannot be read may be of any format.
  const isVoc = read > 0 || splits.size > 0 || paths.some(isOfVoc);
  if (!isVoc) throw new OtherFormatError('no XML file in it is an annotation, as Pascal VOC has');
  return {
    format: 'voc',
    classes: [...classes].sort(),
    images: images.list(paths, findings, (path) => splits.get(setNameOf(path)) ?? null),
    findings: findings.list(),
  };
}

/** By the name that the file gives, else by its own: of a file that says one image and is called as another, neither is sure. */
function chooseImage(named: FoundFile | NoFile | null, called: FoundFile | NoFile): FoundFile | NoFile {
  if (named === null || named.path === null) return called.path === null ? (named ?? called) : called;
  if (called.path === null || called.path === named.path || stemOf(called.path) === stemOf(named.path))
    return named;
  return {
    path: null,
    reason: `the file is called as ${called.path}: correct its filename, or its own name`,
  };
}

function isOfVoc(path: string): boolean {
  return /(^|\/)JPEGImages\//.test(path);
}

/** Null for XML of another kind. Throws `FormatError` for what is no XML. */
export function parseAnnotation(text: string, path: string): Annotation | null {
  let document: unknown;
  try {
    document = parser.parse(text, true);
  } catch (cause) {
    throw new FormatError(`${path} is not XML`, { cause });
  }
  const annotation = fieldOf(document, 'annotation');
  if (typeof annotation !== 'object' || annotation === null) return null;
  const size = fieldOf(annotation, 'size');
  const declared = sizeOf(fieldOf(size, 'width'), fieldOf(size, 'height'));
  const objects = fieldOf(annotation, 'object');
  const labels: PlannedLabel[] = [];
  const faults: string[] = [];
  for (const object of Array.isArray(objects) ? objects : []) {
    const label = toLabel(object, declared);
    if (label) labels.push(label);
    else
      faults.push(
        'an object has no name, or a box that is neither a bndbox of xmin, ymin, xmax, ymax nor a robndbox',
      );
  }
  return { fileName: unescapeXml(classNameOf(fieldOf(annotation, 'filename'))) ?? null, labels, faults };
}

function toLabel(object: unknown, declared: Size | undefined): PlannedLabel | null {
  const className = unescapeXml(classNameOf(fieldOf(object, 'name')));
  if (className === undefined) return null;
  const label = { className, unit: 'pixels' as const, ...(declared && { declared }) };
  const bndbox = fieldOf(object, 'bndbox');
  const rotated = fieldOf(object, 'robndbox');
  if (bndbox === undefined && rotated === undefined) return { ...label, box: null };
  const sidesOf = (of: unknown, names: readonly string[]) => names.map((name) => numberOf(fieldOf(of, name)));
  const placed =
    bndbox === undefined
      ? boxAroundRotated(sidesOf(rotated, ['cx', 'cy', 'w', 'h', 'angle']))
      : boxOfCorners(sidesOf(bndbox, ['xmin', 'ymin', 'xmax', 'ymax']));
  return placed ? { ...label, ...placed } : null;
}

/** An image as lists of a split name it. */
function setNameOf(path: string): string {
  return stemOf(path).normalize('NFC');
}

/** By the stem of an image's name. */
async function readSets(tree: Tree, findings: PlanFindings): Promise<ReadonlyMap<string, Split>> {
  const splits = new Map<string, Split>();
  for (const path of tree.paths) {
    // A list of one class has its name before the split: those say nothing new.
    if (!/(^|\/)ImageSets\/(Main\/)?(train|val|test)\.txt$/i.test(path)) continue;
    const split = splitOf(baseOf(path).replace(/\.txt$/i, ''));
    if (split === null) continue;
    const lines = await tryRead(tree, path, (text) => text.split('\n'));
    if (lines instanceof FormatError) {
      findings.add('ignored-file', path, lines.message);
      continue;
    }
    for (const line of lines) {
      const stem = line.trim();
      if (stem !== '') splits.set(stem.normalize('NFC'), split);
    }
  }
  return splits;
}
