import { planCoco } from './coco.js';
import { planCsv } from './csv.js';
import { planFolders } from './folders.js';
import { FormatError, type FormatName, maybeImage, type Plan, type Tree } from './plan.js';

/** Every format by its name; a new one is a file and a row. Those with a library for their files are loaded when they are needed. */
const readers: Readonly<Record<FormatName, (tree: Tree) => Promise<Plan>>> = {
  folders: planFolders,
  coco: planCoco,
  voc: async (tree) => (await import('./voc.js')).planVoc(tree),
  yolo: async (tree) => (await import('./yolo.js')).planYolo(tree),
  csv: planCsv,
};

/** What shall be imported of a tree. Without a format it is determined from the files. Throws `FormatError`. */
export async function readTree(tree: Tree, format: FormatName | null): Promise<Plan> {
  if (!tree.paths.some(maybeImage)) throw new FormatError('there is no image in it');
  return readers[format ?? recognise(tree.paths)](tree);
}

function recognise(paths: readonly string[]): FormatName {
  const has = (pattern: RegExp) => paths.some((path) => pattern.test(path));
  if (has(/\.xml$/i)) return 'voc';
  if (has(/\.(csv|tsv)$/i)) return 'csv';
  if (has(/(^|\/)(data\.ya?ml|classes\.txt|[^/]*\.names)$/i) || has(/(^|\/)labels\/.*\.txt$/i)) return 'yolo';
  if (has(/\.json$/i)) return 'coco';
  return 'folders';
}
