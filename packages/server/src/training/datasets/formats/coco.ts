import { CocoInstances } from './coco-instances.js';
import { indexFiles } from './find-file.js';
import { describeForeignJson } from './foreign-json.js';
import { readJsonArrays } from './json-arrays.js';
import {
  FormatError,
  maybeImage,
  OtherFormatError,
  type Plan,
  splitOf,
  splitOfFolders,
  type Tree,
} from './plan.js';
import { PlanFindings } from './plan-findings.js';
import { PlannedImages } from './planned-images.js';
import { tryRead } from './try-read.js';

/** COCO: JSON files with `images`, `annotations` and `categories`; the name of a file may say the split. */
export async function planCoco(tree: Tree): Promise<Plan> {
  const findings = new PlanFindings();
  const paths = tree.paths.filter(maybeImage);
  const find = indexFiles(paths, tree.masks);
  const images = new PlannedImages();
  const classes = new Set<string>();
  const labelled = new Set<string>();
  const refusals: FormatError[] = [];
  let read = 0;
  for (const file of tree.paths.filter((each) => /\.json$/i.test(each))) {
    const instances = new CocoInstances({ file, split: splitOf(file), find, images, findings });
    const outcome = await readInstances(tree, file, instances);
    if (outcome instanceof FormatError) {
      refusals.push(outcome);
      findings.add('ignored-file', file, outcome.message);
      // Labels of any image may be among those that could not be read.
      if (instances.isBegun) images.doubtEmpty();
      continue;
    }
    if (outcome === 'other') {
      findings.add('ignored-file', file, 'it has no annotations of objects, as COCO has');
      continue;
    }
    read += 1;
    for (const name of instances.classNames()) classes.add(name);
    for (const name of instances.labelled) labelled.add(name);
  }
  const [refusal] = refusals;
  if (read === 0 && refusal) {
    throw new FormatError(`${refusal.message}. Correct it, or leave it out`, { cause: refusal });
  }
  if (read === 0) {
    const known = await describeForeign(tree);
    const missing = 'no JSON file in it has images, annotations and categories, as COCO has';
    throw new OtherFormatError(known === null ? missing : `${missing}; ${known}`);
  }
  return {
    format: 'coco',
    classes: [...classes],
    unlabelled: [...classes].filter((name) => !labelled.has(name)),
    images: images.list(paths, findings, splitOfFolders),
    findings: findings.list(),
  };
}

/** Files that are looked at to say what they are. */
const maxDescribed = 20;

async function describeForeign(tree: Tree): Promise<string | null> {
  for (const file of tree.paths.filter((each) => /\.json$/i.test(each)).slice(0, maxDescribed)) {
    const start = await tryRead(tree, file, (text) => text.slice(0, 4096));
    const known = start instanceof FormatError ? null : describeForeignJson(start);
    if (known !== null) return `${file} seems to be of ${known}`;
  }
  return null;
}

/** `other`: JSON of another kind, such as captions, of which no more is read than shows that. An error says why it cannot be read. */
async function readInstances(
  tree: Pick<Tree, 'streamText'>,
  path: string,
  instances: CocoInstances,
): Promise<'read' | 'other' | FormatError> {
  try {
    const arrays = await readJsonArrays(tree.streamText(path), path, {
      images: (element) => instances.addImage(element),
      categories: (element) => instances.addCategory(element),
      // They are read in a second pass, since they may stand before what they refer to.
      annotations: (element) => (instances.canHave(element) ? 'skip' : 'stop'),
    });
    if (instances.isOther || !arrays?.has('images') || !arrays.has('annotations')) return 'other';
    await readJsonArrays(tree.streamText(path), path, {
      annotations: (element) => instances.addAnnotation(element),
    });
  } catch (error) {
    if (error instanceof FormatError) return error;
    throw error;
  }
  instances.finish();
  return 'read';
}
