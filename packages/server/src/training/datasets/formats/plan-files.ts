import { checkNesting } from '@lynceus/engine/yaml';
import type { Split } from '../dataset.js';
import { folderOf, indexFiles } from './find-file.js';
import { indexImagesOfTexts } from './images-of-texts.js';
import type { NamedBy } from './nearest-path.js';
import {
  FormatError,
  maybeImage,
  OtherFormatError,
  type Plan,
  type PlannedLabel,
  type ReadableFormat,
  splitOf,
  splitOfFolders,
  type Tree,
} from './plan.js';
import { PlanFindings } from './plan-findings.js';
import { PlannedImages } from './planned-images.js';

/** The files of a format that are in one folder. */
interface FolderOfFiles {
  /** Those of other kinds. */
  readonly others: string[];
  hasLabels: boolean;
}

/** What a file says of one image. */
interface ImageInFile {
  /** Null where it has labels and does not say of which image. */
  readonly name: string | null;
  readonly split?: Split | null;
  readonly labels: readonly PlannedLabel[];
  /** Of labels that cannot be used, what is wrong with each. */
  readonly faults: readonly string[];
}

/** A format whose files are read one by one, and each as a whole. */
export interface FileFormat {
  readonly format: ReadableFormat;
  /** Names of its files. */
  readonly files: RegExp;
  /** Whether a file with these first characters may be one. */
  isBegun(start: string): boolean;
  /** Null for one of another kind. Throws `FormatError` for one that is damaged. */
  parse(text: string, path: string): readonly ImageInFile[] | null;
  /** Whether a file is of the image that is called as it, and any other text may have such a name. */
  readonly byStem?: boolean;
  /** What none of the files is. */
  readonly missing: string;
}

const startLength = 4096;
/** Files of other kinds that are looked at in a folder before it counts as one without files of the format. */
const maxOthers = 50;

/** @param isGuess whether nobody chose the format: many files are not looked at to rule it out */
export async function planFiles(tree: Tree, own: FileFormat, isGuess: boolean): Promise<Plan> {
  const findings = new PlanFindings();
  const paths = tree.paths.filter(maybeImage);
  const find = findIn(paths, tree, own);
  const images = new PlannedImages();
  const classes = new Set<string>();
  const refusals: FormatError[] = [];
  const folders = new Map<string, FolderOfFiles>();
  let labels = 0;
  for (const file of tree.paths.filter((path) => own.files.test(path))) {
    const folder = folders.get(folderOf(file)) ?? { others: [], hasLabels: false };
    folders.set(folderOf(file), folder);
    const isRuledOut = isGuess && own.byStem && !folder.hasLabels && folder.others.length >= maxOthers;
    const read = isRuledOut ? null : await readFile(tree, file, own);
    if (read instanceof FormatError) {
      refusals.push(read);
      findings.add('ignored-file', file, read.message);
      // Labels of any image may be among those that could not be read.
      images.doubtEmpty();
      continue;
    }
    if (read === null) {
      folder.others.push(file);
      continue;
    }
    for (const one of read) {
      const count = one.labels.length + one.faults.length;
      if (one.name === null) {
        if (count > 0) findings.add('no-image', file, 'it has labels of images that it does not name', count);
        // They may be of any image.
        if (count > 0) images.doubtEmpty();
        continue;
      }
      // A text file is called as its image, which says nothing of the split.
      const split = one.split ?? (own.byStem ? splitOfFolders(file) : splitOf(file));
      const image = find(one.name, { path: file, split });
      labels += count;
      folder.hasLabels ||= count > 0;
      for (const fault of one.faults)
        findings.add('bad-label', image.path ?? one.name, `${file}: ${fault}`, 1);
      if (image.path === null) {
        const message = `${file} ${own.byStem ? 'is called as it' : 'lists it'}, and ${image.reason}`;
        findings.add('no-image', one.name, message, one.labels.length);
        continue;
      }
      for (const { className } of one.labels) classes.add(className);
      images.add(image, file, { split, labels: one.labels, lost: one.faults.length });
    }
  }
  for (const { others } of folders.values()) reportOthers(others, own, findings);
  const [refusal] = refusals;
  if (labels === 0) throw refusal ?? new OtherFormatError(`no file in it has labels: ${own.missing}`);
  return {
    format: own.format,
    classes: [...classes],
    images: images.list(paths, findings, splitOfFolders),
    findings: findings.list(),
  };
}

function findIn(paths: readonly string[], { masks }: Tree, { byStem }: FileFormat) {
  if (!byStem) return indexFiles(paths, masks);
  const find = indexImagesOfTexts(paths);
  return (_name: string, { path }: NamedBy) => find(path);
}

/** A finding a file; a finding a folder where a folder may have as many as there are images. */
function reportOthers(
  files: readonly string[],
  { byStem, missing }: FileFormat,
  findings: PlanFindings,
): void {
  if (!byStem) for (const file of files) findings.add('ignored-file', file, missing);
  else if (files[0] !== undefined) {
    const others = files.length > 1 ? `; nor are ${files.length - 1} more in its folder` : '';
    findings.add('ignored-file', files[0], `it is not of the format: ${missing}${others}`);
  }
}

async function readFile(tree: Tree, path: string, { isBegun, parse }: FileFormat) {
  try {
    return isBegun(await readStart(tree, path)) ? parse(await tree.readText(path), path) : null;
  } catch (error) {
    if (error instanceof FormatError) return error;
    throw error;
  }
}

async function readStart(tree: Tree, path: string): Promise<string> {
  let start = '';
  for await (const piece of tree.streamText(path)) {
    start += piece;
    if (start.length >= startLength) break;
  }
  return start.slice(0, startLength);
}

export function parseJson(text: string, path: string): unknown {
  try {
    checkNesting(text);
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : 'is nested too deep';
    throw new FormatError(`${path} ${problem}`, { cause });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new FormatError(`${path} is not JSON. Correct it, or leave it out`, { cause });
  }
}

/** The labels of an image, and what is wrong with those that are none. */
export function sortLabels(read: readonly (PlannedLabel | string)[]): Pick<ImageInFile, 'labels' | 'faults'> {
  return {
    labels: read.filter((each) => typeof each === 'object'),
    faults: read.filter((each) => typeof each === 'string'),
  };
}
