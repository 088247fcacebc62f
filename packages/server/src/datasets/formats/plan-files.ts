import type { Split } from '../dataset.js';
import { indexFiles, noteOtherCase } from './find-file.js';
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

/** What a file says of one image. */
export interface ImageInFile {
  readonly name: string;
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
  /** Whether its names of images have no ending. */
  readonly byStem?: boolean;
  /** What none of the files is. */
  readonly missing: string;
}

const startLength = 4096;
/** Files an image that are looked at before the tree counts as one of another format. */
const maxOthers = 50;

export async function planFiles(tree: Tree, own: FileFormat): Promise<Plan> {
  const findings = new PlanFindings();
  const paths = tree.paths.filter(maybeImage);
  const find = findIn(paths, own, findings);
  const images = new PlannedImages();
  const classes = new Set<string>();
  const refusals: FormatError[] = [];
  let [labels, others] = [0, 0];
  for (const file of tree.paths.filter((path) => own.files.test(path))) {
    const read = await readFile(tree, file, own);
    if (read instanceof FormatError) {
      refusals.push(read);
      findings.add('ignored-file', file, read.message);
      // Labels of any image may be among those that could not be read.
      images.doubtEmpty();
      continue;
    }
    if (read === null) {
      others += 1;
      if (!own.byStem) findings.add('ignored-file', file, own.missing);
      else if (labels === 0 && others >= maxOthers) break;
      continue;
    }
    for (const one of read) {
      const split = one.split ?? splitOf(file);
      const path = find(one.name, { path: file, split });
      labels += one.labels.length + one.faults.length;
      for (const fault of one.faults) findings.add('bad-label', path ?? one.name, `${file}: ${fault}`, 1);
      if (path === null) {
        findings.add('no-image', one.name, `${file} lists it, and it is not there`, one.labels.length);
        continue;
      }
      for (const { className } of one.labels) classes.add(className);
      images.add(path, file, { split, labels: one.labels, lost: one.faults.length });
    }
  }
  const [refusal] = refusals;
  if (labels === 0) throw refusal ?? new OtherFormatError(`no file in it has labels: ${own.missing}`);
  return {
    format: own.format,
    classes: [...classes],
    images: images.list(paths, findings, splitOfFolders),
    findings: findings.list(),
  };
}

function findIn(paths: readonly string[], { byStem }: FileFormat, findings: PlanFindings) {
  const onOtherCase = noteOtherCase(findings);
  if (!byStem) return indexFiles(paths, onOtherCase);
  const byName = new Map(paths.map((path) => [path.replace(/\.[^./]*$/, ''), path]));
  const find = indexFiles([...byName.keys()], onOtherCase);
  return (...given: Parameters<typeof find>) => byName.get(find(...given) ?? '') ?? null;
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
