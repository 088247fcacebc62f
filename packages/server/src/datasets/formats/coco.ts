import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Split } from '../dataset.js';
import { indexFiles, type NamedBy } from './find-file.js';
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
const Instances = Type.Object({
  images: Type.Array(Type.Object({ id: Ref, file_name: Type.String() })),
  categories: Type.Array(Type.Object({ id: Ref, name: Ref })),
  annotations: Type.Array(
    Type.Object({
      image_id: Ref,
      category_id: Ref,
      bbox: Type.Optional(Type.Unknown()),
      iscrowd: Type.Optional(Type.Unknown()),
    }),
  ),
});
type Instances = Static<typeof Instances>;

/** COCO: JSON files with `images`, `annotations` and `categories`; the name of a file may say the split. */
export async function planCoco(tree: Tree): Promise<Plan> {
  const findings: PlanFinding[] = [];
  const find = indexFiles(tree.paths.filter(maybeImage));
  const planned = new Map<string, PlannedImage>();
  const classes = new Set<string>();
  let read = 0;
  for (const path of tree.paths.filter((each) => /\.json$/i.test(each))) {
    const instances = parseInstances(await tree.readText(path), path);
    if (instances === null) continue;
    read += 1;
    for (const name of classesOf(instances)) classes.add(name);
    planInstances(instances, { path, find, planned, findings });
  }
  if (read === 0)
    throw new FormatError('no JSON file in it has images, annotations and categories, as COCO has');
  for (const path of tree.paths) {
    if (maybeImage(path) && !planned.has(path)) planned.set(path, { path, split: null, labels: null });
  }
  return { format: 'coco', classes: [...classes], images: [...planned.values()], findings };
}

/** Null for JSON of another kind. Throws `FormatError` for what is no JSON. */
export function parseInstances(text: string, path: string): Instances | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new FormatError(`${path} is not JSON`, { cause });
  }
  if (typeof value !== 'object' || value === null || !('images' in value) || !('annotations' in value))
    return null;
  const given = { categories: [], ...value };
  if (!Value.Check(Instances, given)) {
    const [first] = Value.Errors(Instances, given);
    throw new FormatError(
      `${path} is not as COCO has it: ${first?.instancePath ?? ''} ${first?.message ?? ''}`.trim(),
    );
  }
  return given;
}

function classesOf({ categories }: Instances): readonly string[] {
  return [...categories]
    .sort((a, b) => Number(a.id) - Number(b.id))
    .flatMap(({ name }) => classNameOf(name) ?? []);
}

function planInstances(
  { images, annotations, categories }: Instances,
  into: {
    readonly path: string;
    readonly find: (name: string, by: NamedBy) => string | null;
    readonly planned: Map<string, PlannedImage>;
    readonly findings: PlanFinding[];
  },
): void {
  const { path: file, findings } = into;
  const split: Split | null = splitOf(file);
  const names = new Map(categories.map(({ id, name }) => [String(id), classNameOf(name)]));
  const labels = new Map<string, PlannedLabel[]>(images.map(({ id }) => [String(id), []]));
  for (const { image_id, category_id, bbox, iscrowd } of annotations) {
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
  }
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
