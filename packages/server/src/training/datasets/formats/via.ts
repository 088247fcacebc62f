import { type PlacedLabel, placeEllipse } from './box-corners.js';
import { boxAround } from './coco-outline.js';
import { classNameOf, fieldOf, numberOf, type PlannedLabel } from './plan.js';
import { type FileFormat, parseJson, sortLabels } from './plan-files.js';

/** Attributes that say the class where a region has several. */
const classAttributes = ['class', 'label', 'name', 'type', 'category', 'object'];

/** VGG Image Annotator: a project, or its annotations as JSON; the class is an attribute of the region. */
export const via: FileFormat = {
  format: 'via',
  files: /\.json$/i,
  missing: 'VIA has JSON with _via_img_metadata, or images with filename and regions',
  isBegun: (start) => /^\s*\{\s*"(_via_|[^"]*"\s*:\s*\{\s*"(fileref|filename|size|regions)")/.test(start),
  parse(text, path) {
    const document = parseJson(text, path);
    const read = listOf(fieldOf(document, '_via_img_metadata') ?? document).flatMap((entry) => {
      const [name, regions] = [fieldOf(entry, 'filename'), fieldOf(entry, 'regions')];
      return regions === undefined ? [] : [{ name: typeof name === 'string' ? name : null, regions }];
    });
    if (read.every(({ name }) => name === null)) return null;
    const attribute = chooseAttribute(read.flatMap(({ regions }) => listOf(regions)));
    return read.map(({ name, regions }) => {
      const labels =
        typeof regions === 'object'
          ? listOf(regions).map((region) => toLabel(region, attribute))
          : ['regions are not a list'];
      return { name, ...sortLabels(labels) };
    });
  },
};

/** The first version numbers what later ones list. */
function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}

/** The attribute that says the class, in small letters: one for all regions, since those without a value may have another attribute. */
function chooseAttribute(regions: readonly unknown[]): string | undefined {
  const names = new Set(regions.flatMap((region) => attributesOf(region).map(([name]) => name)));
  const [only, ...others] = names;
  return others.length === 0 ? only : classAttributes.find((name) => names.has(name));
}

function attributesOf(region: unknown): readonly (readonly [string, unknown])[] {
  const attributes = fieldOf(region, 'region_attributes');
  if (typeof attributes !== 'object' || attributes === null) return [];
  return Object.entries(attributes).map(([name, value]) => [name.toLowerCase(), value]);
}

function toLabel(region: unknown, attribute: string | undefined): PlannedLabel | string {
  if (attribute === undefined)
    return `no attribute of the regions says the class: one alone does, or one of ${classAttributes.join(', ')}`;
  const value = attributesOf(region).find(([name]) => name === attribute)?.[1];
  const className = classNameOf(typeof value === 'object' ? checkedOf(value) : value);
  if (className === undefined) return `a region has no value, or several, of the attribute ${attribute}`;
  const placed = placeShape(fieldOf(region, 'shape_attributes'));
  return typeof placed === 'string' ? placed : { className, unit: 'pixels', ...placed };
}

/** Of checkboxes the only one that is checked. */
function checkedOf(boxes: object | null): string | undefined {
  const [only, ...others] = Object.entries(boxes ?? {}).filter(([, isChecked]) => isChecked === true);
  return others.length === 0 ? only?.[0] : undefined;
}

function placeShape(shape: unknown): PlacedLabel | string {
  const kind = fieldOf(shape, 'name');
  const numbers = (...names: readonly string[]) => names.map((name) => numberOf(fieldOf(shape, name)));
  const placed = placeNumbers(kind, numbers, shape);
  const name = typeof kind === 'string' ? JSON.stringify(kind.slice(0, 40)) : 'without a name';
  return placed ?? `a shape ${name} has no box, or lacks a number`;
}

function placeNumbers(
  kind: unknown,
  numbers: (...names: readonly string[]) => readonly (number | undefined)[],
  shape: unknown,
): PlacedLabel | undefined {
  switch (kind) {
    case 'rect': {
      const [x, y, width, height] = numbers('x', 'y', 'width', 'height');
      if (x === undefined || y === undefined || width === undefined || height === undefined) return undefined;
      return { box: { xMin: x, yMin: y, xMax: x + width, yMax: y + height } };
    }
    case 'circle': {
      const [x, y, r] = numbers('cx', 'cy', 'r');
      return placeEllipse(x, y, r, r, 0);
    }
    case 'ellipse': {
      const [x, y, rx, ry, theta = 0] = numbers('cx', 'cy', 'rx', 'ry', 'theta');
      return placeEllipse(x, y, rx, ry, theta);
    }
    case 'polygon': {
      const [xs, ys] = ['all_points_x', 'all_points_y'].map((name) => listOf(fieldOf(shape, name)));
      if (xs?.length !== ys?.length) return undefined;
      const box = boxAround(xs?.flatMap((x, at) => [numberOf(x), numberOf(ys?.[at])]) ?? []);
      return box && { box, outline: 'polygon' };
    }
    default:
      return undefined;
  }
}
