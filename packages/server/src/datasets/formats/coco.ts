import { CocoInstances } from './coco-instances.js';
import { indexFiles } from './find-file.js';
import { readJsonArrays } from './json-arrays.js';
import { FormatError, maybeImage, type Plan, splitOf, splitOfFolders, type Tree } from './plan.js';
import { PlanFindings } from './plan-findings.js';
import { PlannedImages } from './planned-images.js';

/** COCO: JSON files with `images`, `annotations` and `categories`; the name of a file may say the split. */
export async function planCoco(tree: Tree): Promise<Plan> {
  const findings = new PlanFindings();
  const paths = tree.paths.filter(maybeImage);
  const find = indexFiles(paths);
  const images = new PlannedImages();
  const classes = new Set<string>();
  let read = 0;
  for (const file of tree.paths.filter((each) => /\.json$/i.test(each))) {
    const instances = new CocoInstances({ file, split: splitOf(file), find, images, findings });
    if (!(await readInstances(tree, file, instances))) {
      findings.add('ignored-file', file, 'it has no annotations of objects, as COCO has');
      continue;
    }
    read += 1;
    for (const name of instances.classNames()) classes.add(name);
  }
  if (read === 0)
    throw new FormatError('no JSON file in it has images, annotations and categories, as COCO has');
  return {
    format: 'coco',
    classes: [...classes],
    images: images.list(paths, findings, splitOfFolders),
    findings: findings.list(),
  };
}

/**
 * False for JSON of another kind, such as captions, of which no more is read than shows that. Throws `FormatError` for what is
 * no JSON.
 */
export async function readInstances(
  tree: Pick<Tree, 'streamText'>,
  path: string,
  instances: CocoInstances,
): Promise<boolean> {
  let isOther = false;
  const arrays = await readJsonArrays(tree.streamText(path), path, {
    images: (element) => instances.addImage(element),
    categories: (element) => instances.addCategory(element),
    // They are read in a second pass, since they may stand before what they refer to.
    annotations: (element) => {
      isOther = !isOfObject(element);
      return isOther ? 'stop' : 'skip';
    },
  });
  if (isOther || !arrays?.has('images') || !arrays.has('annotations')) return false;
  await readJsonArrays(tree.streamText(path), path, {
    annotations: (element) => instances.addAnnotation(element),
  });
  instances.finish();
  return true;
}

/** Captions and panoptic segments are none. */
function isOfObject(annotation: unknown): boolean {
  return (
    typeof annotation !== 'object' ||
    annotation === null ||
    !('caption' in annotation || 'segments_info' in annotation)
  );
}
