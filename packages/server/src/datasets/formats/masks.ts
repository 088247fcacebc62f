import { isContainer } from './folders.js';
import { maybeImage, type Plan, type PlanFinding, stemOf } from './plan.js';

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
const suffix = /[_-](masks?|segs?|segmentation|labels?|labelids|gt|groundtruth)$/i;

/** Masks of segmentation: images in a folder such as `masks` that are called as those of a folder such as `images` beside it. */
export function findMasks(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const stems = new Set<string>();
  const byFolder = new Map<string, string[]>();
  for (const path of paths.filter(maybeImage)) {
    const folder = maskFolderOf(path);
    if (folder === null) {
      const own = path.split('/').at(-2);
      if (own === undefined || isContainer(own)) stems.add(stemOf(path));
    } else if (lossless.test(path)) {
      const known = byFolder.get(folder);
      if (known) known.push(path);
      else byFolder.set(folder, [path]);
    }
  }
  const isOfImage = (path: string) => stems.has(stemOf(path)) || stems.has(stemOf(path).replace(suffix, ''));
  return new Map([...byFolder].filter(([, masks]) => masks.filter(isOfImage).length * 2 > masks.length));
}

/** The path to its outermost folder of masks; null where it has none. */
function maskFolderOf(path: string): string | null {
  const folders = path.split('/').slice(0, -1);
  const at = folders.findIndex(
    (folder) =>
      !ofEither.test(folder) &&
      folder
        .toLowerCase()
        .split(/[\s\d_.-]+/)
        .every((word) => word === '' || maskWords.has(word)),
  );
  return at < 0 ? null : folders.slice(0, at + 1).join('/');
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
