import { planCoco } from './coco.js';
import { createml } from './createml.js';
import { planCsv } from './csv.js';
import { planFolders } from './folders.js';
import { kitti } from './kitti.js';
import { findingsOfMasks, findMasks, refusalOfMasks, withoutNamed } from './masks.js';
import { readPartlyLabelled } from './partly-labelled.js';
import {
  FormatError,
  maybeImage,
  OtherFormatError,
  type Plan,
  type ReadableFormat,
  type Tree,
} from './plan.js';
import { planFiles } from './plan-files.js';
import { findingsOfSimilar } from './similar-classes.js';
import { via } from './via.js';

/** Every format by its name; a new one is a file and a row. Those with a library for their files are loaded when they are needed. */
const readers: Readonly<Record<ReadableFormat, (tree: Tree, isGuess: boolean) => Promise<Plan>>> = {
  folders: planFolders,
  coco: planCoco,
  voc: async (tree) => (await import('./voc.js')).planVoc(tree),
  yolo: async (tree) => (await import('./yolo.js')).planYolo(tree),
  csv: planCsv,
  kitti: (tree, isGuess) => planFiles(tree, kitti, isGuess),
  createml: (tree, isGuess) => planFiles(tree, createml, isGuess),
  via: (tree, isGuess) => planFiles(tree, via, isGuess),
  cvat: async (tree, isGuess) => planFiles(tree, (await import('./cvat.js')).cvat, isGuess),
};

/**
 * What shall be imported of a tree. Without a format it is the first one whose files say what an image shows: a file of another
 * format may lie beside them by chance. Throws `FormatError`.
 */
export async function readTree(tree: Tree, format: ReadableFormat | null): Promise<Plan> {
  if (!tree.paths.some(maybeImage)) throw new FormatError('there is no image in it');
  const { rest, mark, findings } = await readPartlyLabelled(tree);
  // Whoever chooses folders says that they are the classes.
  const found = format === 'folders' ? new Map<string, readonly string[]>() : findMasks(rest.paths);
  const left = new Set([...found.values()].flat());
  const paths = rest.paths.filter((path) => !left.has(path));
  const plan = await readFormat({ ...rest, paths, masks: [...left] }, format);
  const masks = withoutNamed(found, plan);
  const refusal = refusalOfMasks(masks, plan);
  if (refusal !== null) throw new FormatError(refusal);
  return {
    ...plan,
    images: plan.images.map(mark),
    findings: [...findings, ...findingsOfMasks(masks), ...plan.findings, ...findingsOfSimilar(plan.classes)],
  };
}

async function readFormat(tree: Tree, format: ReadableFormat | null): Promise<Plan> {
  if (format !== null) return readers[format](tree, false);
  const attempts: (Plan | FormatError)[] = [];
  for (const each of formatsOf(tree.paths)) {
    const plan = await readers[each](tree, true).catch((error: unknown) => {
      if (error instanceof FormatError) return error;
      throw error;
    });
    if (!(plan instanceof FormatError) && plan.images.some(({ labels }) => labels !== null)) return plan;
    // Any text may lie beside images: that it is none of KITTI says nothing of the others.
    if (each !== 'kitti' || !(plan instanceof OtherFormatError)) attempts.push(plan);
  }
  const [first] = attempts;
  const plan =
    attempts.find((each) => !(each instanceof FormatError)) ??
    attempts.find((each) => !(each instanceof OtherFormatError)) ??
    first;
  if (plan === undefined) return planFolders(tree);
  if (plan instanceof FormatError) throw plan;
  return plan;
}

/** Those of which there is a file, the likeliest first. */
function formatsOf(paths: readonly string[]): readonly ReadableFormat[] {
  const has = (pattern: RegExp) => paths.some((path) => pattern.test(path));
  const formats: ReadableFormat[] = [];
  if (has(/\.xml$/i)) formats.push('voc', 'cvat');
  if (has(/\.(csv|tsv)$/i)) formats.push('csv');
  if (has(/\.txt$/i)) formats.push('kitti');
  if (has(/(^|\/)(data\.ya?ml|classes\.txt|[^/]*\.names)$/i) || has(/(^|\/)labels\/.*\.txt$/i))
    formats.push('yolo');
  if (has(/\.json$/i)) formats.push('coco', 'createml', 'via');
  return formats;
}
