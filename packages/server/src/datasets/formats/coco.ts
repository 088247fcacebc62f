import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Split } from '../dataset.js';
import { indexFiles, type NamedBy } from './find-file.js';
import { readJsonArrays } from './json-arrays.js';
import {
  classNameOf,
  FormatError,
  maybeImage,
  numberOf,
  type Plan,
  type PlanFinding,
  type PlannedImage,
  type PlannedLabel,
  splitOf,
  type Tree,
} from './plan.js';

const Ref = Type.Union([Type.Number(), Type.String()]);
const CocoImage = Type.Object({ id: Ref, file_name: Type.String() });
const CocoCategory = Type.Object({ id: Ref, name: Ref });
const CocoAnnotation = Type.Object({
  image_id: Ref,
  category_id: Ref,
  bbox: Type.Optional(Type.Unknown()),
  iscrowd: Type.Optional(Type.Unknown()),
});

/** What a COCO file lists beside its annotations. */
interface Listed {
  readonly images: readonly Static<typeof CocoImage>[];
  readonly categories: readonly Static<typeof CocoCategory>[];
}

/** COCO: JSON files with `images`, `annotations` and `categories`; the name of a file may say the split. */
export async function planCoco(tree: Tree): Promise<Plan> {
  const findings: PlanFinding[] = [];
  const find = indexFiles(tree.paths.filter(maybeImage));
  const planned = new Map<string, PlannedImage>();
  const classes = new Set<string>();
  let read = 0;
  for (const path of tree.paths.filter((each) => /\.json$/i.test(each))) {
    const listed = await readListed(tree, path);
    if (listed === null) continue;
    read += 1;
    for (const name of classesOf(listed)) classes.add(name);
    await planInstances(listed, tree, { path, find, planned, findings });
  }
  if (read === 0)
    throw new FormatError('no JSON file in it has images, annotations and categories, as COCO has');
  for (const path of tree.paths) {
    if (maybeImage(path) && !planned.has(path)) planned.set(path, { path, split: null, labels: null });
  }
  return { format: 'coco', classes: [...classes], images: [...planned.values()], findings };
}

/**
 * Null for JSON of another kind, such as captions, of which no more is read than shows that. Throws `FormatError` for what is
 * no JSON.
 */
export async function readListed(tree: Pick<Tree, 'streamText'>, path: string): Promise<Listed | null> {
  const images: Static<typeof CocoImage>[] = [];
  const categories: Static<typeof CocoCategory>[] = [];
  let isOther = false;
  const arrays = await readJsonArrays(tree.streamText(path), path, {
    images: (element) => {
      const { id, file_name } = checked(CocoImage, element, `images/${images.length}`, path);
      images.push({ id, file_name });
    },
    categories: (element) => {
      const { id, name } = checked(CocoCategory, element, `categories/${categories.length}`, path);
      categories.push({ id, name });
    },
    // They are read in a second pass, since they may stand before what they refer to.
    annotations: (element) => {
      isOther = !isLabel(element);
      return isOther ? 'stop' : 'skip';
    },
  });
  const isInstances = !isOther && arrays?.has('images') && arrays.has('annotations');
  return isInstances ? { images, categories } : null;
}

/** Captions and panoptic segments have neither. */
function isLabel(annotation: unknown): boolean {
  return (
    typeof annotation === 'object' &&
    annotation !== null &&
    ('category_id' in annotation || 'bbox' in annotation)
  );
}

/** Throws `FormatError` for an element of another shape. */
function checked<Shape extends TSchema>(
  shape: Shape,
  element: unknown,
  place: string,
  path: string,
): Static<Shape> {
  if (Value.Check(shape, element)) return element;
  const [first] = Value.Errors(shape, element);
  throw new FormatError(
    `${path} is not as COCO has it: /${place}${first?.instancePath ?? ''} ${first?.message ?? ''}`.trim(),
  );
}

function classesOf({ categories }: Listed): readonly string[] {
  return [...categories]
    .sort((a, b) => Number(a.id) - Number(b.id))
    .flatMap(({ name }) => classNameOf(name) ?? []);
}

async function planInstances(
  { images, categories }: Listed,
  tree: Tree,
  into: {
    readonly path: string;
    readonly find: (name: string, by: NamedBy) => string | null;
    readonly planned: Map<string, PlannedImage>;
    readonly findings: PlanFinding[];
  },
): Promise<void> {
  const { path: file, findings } = into;
  const split: Split | null = splitOf(file);
  const names = new Map(categories.map(({ id, name }) => [String(id), classNameOf(name)]));
  const labels = new Map<string, PlannedLabel[]>(images.map(({ id }) => [String(id), []]));
  let count = 0;
  const planAnnotation = (element: unknown) => {
    const annotation = checked(CocoAnnotation, element, `annotations/${count}`, file);
    const { image_id, category_id, bbox, iscrowd } = annotation;
    count += 1;
    const own = labels.get(String(image_id));
    const className = names.get(String(category_id));
    if (!own)
      findings.push({
        problem: 'no-image',
        file,
        message: `an annotation is of image ${image_id}, which is not listed`,
      });
    else if (className === undefined) {
      findings.push({
        problem: 'unknown-class',
        file,
        message: `image ${image_id} has category ${category_id}, which is not listed`,
      });
    } else if (iscrowd === 1) {
      findings.push({
        problem: 'bad-label',
        file,
        message: `image ${image_id} has a crowd of ${className}, which is no single object`,
      });
    } else {
      const label = toLabel(className, bbox);
      if (label) own.push(label);
      else
        findings.push({
          problem: 'bad-label',
          file,
          message: `image ${image_id} has a bbox that is not x, y, width, height`,
        });
    }
  };
  await readJsonArrays(tree.streamText(file), file, { annotations: planAnnotation });
  for (const { id, file_name } of images) {
    const path = into.find(file_name, { path: file, split });
    if (path === null) {
      findings.push({
        problem: 'no-image',
        file: file_name,
        message: `${file} lists it, and it is not there`,
      });
    } else if (!into.planned.has(path)) {
      into.planned.set(path, { path, split, labels: labels.get(String(id)) ?? [] });
    }
  }
}

/** Without a box it is of the whole image. */
function toLabel(className: string, bbox: unknown): PlannedLabel | null {
  if (bbox === undefined || bbox === null || (Array.isArray(bbox) && bbox.length === 0)) {
    return { className, box: null, unit: 'pixels' };
  }
  if (!Array.isArray(bbox) || bbox.length !== 4) return null;
  const [x, y, width, height] = bbox.map(numberOf);
  if (x === undefined || y === undefined || width === undefined || height === undefined) return null;
  return { className, box: { xMin: x, yMin: y, xMax: x + width, yMax: y + height }, unit: 'pixels' };
}
