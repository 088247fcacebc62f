import { isContainer } from './folders.js';
import { baseOf, maybeImage, type Plan, type PlanFinding, stemOf } from './plan.js';

const maskWords = new Set([
  ...[
    'mask',
    'masks',
    'label',
    'labels',
    'annotation',
    'annotations',
    'annot',
    'annots',
    'gt',
    'groundtruth',
  ],
  ...['seg', 'segs', 'segmentation', 'segmentations', 'segmentationclass', 'segmentationclassaug'],
  ...[
    'segmentationobject',
    'segmaps',
    'png',
    'truth',
    'ground',
    'train',
    'training',
    'val',
    'valid',
    'validation',
    'test',
  ],
]);
/** Folders that say no more than a split or a format are of images too. */
const ofEither = /^(png|train|training|val|valid|validation|test|[\s\d_.-]*)$/i;
/** Other formats would change the numbers of classes. */
const lossless = /\.(png|tiff?|bmp|gif)$/i;
/** What the name of a class has beside the one whose opposite it is. */
const opposites = new Set([
  ...['no', 'non', 'not', 'un', 'with', 'without', 'wrong', 'wrongly'],
  ...['incorrect', 'incorrectly', 'improper', 'improperly'],
]);
const suffix = /[_-](masks?|segs?|segmentation|labels?|labelids|gt|groundtruth)$/i;

/**
 * Masks of segmentation by their folder: images in a folder such as `masks` that are called as those of a folder such as `images`
 * with the same parent.
 */
export function findMasks(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const stems = new Map<string, Set<string>>();
  const byFolder = new Map<string, string[]>();
  const siblings = new Map<string, Set<string>>();
  for (const path of paths.filter(maybeImage)) {
    let isImage = true;
    for (let folder = parentOf(path); ; folder = parentOf(folder)) {
      if (isImage) addTo(stems, folder, () => new Set<string>()).add(stemOf(path));
      if (folder === '') break;
      addTo(siblings, parentOf(folder), () => new Set<string>()).add(baseOf(folder));
      if (lossless.test(path) && isOfMasks(baseOf(folder)))
        addTo(byFolder, folder, (): string[] => []).push(path);
      isImage &&= isContainer(baseOf(folder));
    }
  }
  const masks = new Map<string, readonly string[]>();
  const taken = new Set<string>();
  for (const [folder, all] of [...byFolder].sort(([a], [b]) => b.split('/').length - a.split('/').length)) {
    const own = all.filter((path) => !taken.has(path));
    const known = stems.get(parentOf(folder));
    const isOfImage = (path: string) =>
      known?.has(stemOf(path)) || known?.has(stemOf(path).replace(suffix, ''));
    if (
      own.filter(isOfImage).length * 2 <= own.length ||
      isClass(baseOf(folder), siblings.get(parentOf(folder)))
    )
      continue;
    masks.set(folder, own);
    for (const path of own) taken.add(path);
  }
  return masks;
}

/** Empty at the root. */
function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function addTo<T>(index: Map<string, T>, key: string, create: () => T): T {
  const known = index.get(key) ?? create();
  index.set(key, known);
  return known;
}

function isOfMasks(folder: string): boolean {
  if (ofEither.test(folder)) return false;
  const words = folder.toLowerCase().split(/[\s\d_.-]+/);
  return words.every((word) => word === '' || maskWords.has(word));
}

/** Whether the folder is a class because one beside it is its opposite: `mask` beside `no_mask` or `with_mask`. */
function isClass(folder: string, siblings: ReadonlySet<string> = new Set()): boolean {
  const word = folder.toLowerCase().replace(/s$/, '');
  const others = [...siblings].map((each) => each.toLowerCase()).filter((each) => each.includes(word));
  return others.some((each) =>
    each
      .replace(word, ' ')
      .split(/[^a-z]+/)
      .some((rest) => opposites.has(rest)),
  );
}

/** Those that annotations do not name. */
export function withoutNamed(
  masks: ReturnType<typeof findMasks>,
  { images }: Pick<Plan, 'images'>,
): ReturnType<typeof findMasks> {
  const named = new Set(images.map(({ path }) => path));
  const rest = [...masks].map(
    ([folder, paths]) => [folder, paths.filter((path) => !named.has(path))] as const,
  );
  return new Map(rest.filter(([, paths]) => paths.length > 0));
}

/** Says of each folder of masks that it was left out, and what to do. */
export function findingsOfMasks(masks: ReturnType<typeof findMasks>): readonly PlanFinding[] {
  return [...masks].map(([file, { length }]) => ({
    problem: 'ignored-file',
    file,
    message: explain(length),
    labels: 0,
  }));
}

/** Null where something else says what the images show. */
export function refusalOfMasks(
  masks: ReturnType<typeof findMasks>,
  { images }: Pick<Plan, 'images'>,
): string | null {
  const [first] = masks;
  if (!first || images.some(({ labels }) => labels !== null)) return null;
  const [folder, { length }] = first;
  return `${folder}: ${explain(length)}`;
}

function explain(count: number): string {
  return (
    `its ${count} images are masks for segmentation, and a dataset has classes or boxes: write the objects of the masks as polygons or ` +
    'boxes in JSON of COCO, or leave the folder out and label the images here'
  );
}
