import { XMLParser } from 'fast-xml-parser';
import { boxAroundRotated, boxOfCorners, type PlacedLabel, placeEllipse } from './box-corners.js';
import { boxAround } from './coco-outline.js';
import {
  classNameOf,
  FormatError,
  fieldOf,
  numberOf,
  type PlannedLabel,
  type Size,
  sizeOf,
  splitOf,
} from './plan.js';
import { type FileFormat, sortLabels } from './plan-files.js';
import { unescapeXml } from './unescape-xml.js';

/** What an image may hold; a label is one element of these. */
const shapes = [
  'box',
  'polygon',
  'ellipse',
  'mask',
  'tag',
  'polyline',
  'points',
  'cuboid',
  'skeleton',
] as const;

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseAttributeValue: false,
  parseTagValue: false,
  processEntities: false,
  isArray: (name, _path, _isLeaf, isAttribute) =>
    !isAttribute && (name === 'image' || shapes.some((shape) => shape === name)),
});

/** CVAT for images: XML with `annotations`, an `image` each, and its shapes. */
export const cvat: FileFormat = {
  format: 'cvat',
  files: /\.xml$/i,
  missing: 'CVAT has XML with annotations and an image element each',
  isBegun: (start) => /<annotations[\s>]/.test(start),
  parse(text, path) {
    let document: unknown;
    try {
      document = parser.parse(text, true);
    } catch (cause) {
      throw new FormatError(`${path} is not XML. Correct it, or leave it out`, { cause });
    }
    const annotations = fieldOf(document, 'annotations');
    if (fieldOf(annotations, 'track') !== undefined)
      throw new FormatError(`${path} has tracks of a video by CVAT: export the task as "CVAT for images"`);
    const images = fieldOf(annotations, 'image');
    if (!Array.isArray(images)) return null;
    return images.map((image: unknown) => {
      const name = textOf(image, 'name') ?? null;
      const declared = sizeOf(fieldOf(image, 'width'), fieldOf(image, 'height'));
      const read = shapes.flatMap((shape) =>
        listOf(fieldOf(image, shape)).map((element) => toLabel(shape, element, declared)),
      );
      return { name, split: splitOf(textOf(image, 'subset') ?? ''), ...sortLabels(read) };
    });
  },
};

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(element: unknown, name: string): string | undefined {
  return unescapeXml(classNameOf(fieldOf(element, name)));
}

function toLabel(shape: string, element: unknown, declared: Size | undefined): PlannedLabel | string {
  const className = textOf(element, 'label');
  if (className === undefined) return `a ${shape} has no label`;
  const label = { className, unit: 'pixels' as const };
  if (shape === 'tag') return { ...label, box: null };
  const placed = placeShape(shape, element);
  if (placed === undefined) return `a ${shape} of ${className} has no box, or lacks a number`;
  return { ...label, ...placed, ...(declared && { declared }) };
}

function placeShape(shape: string, element: unknown): PlacedLabel | undefined {
  const numbers = (...names: readonly string[]) => names.map((name) => numberOf(fieldOf(element, name)));
  const angle = ((numberOf(fieldOf(element, 'rotation')) ?? 0) * Math.PI) / 180;
  switch (shape) {
    case 'box': {
      const placed = boxOfCorners(numbers('xtl', 'ytl', 'xbr', 'ybr'));
      if (!placed?.box || angle === 0) return placed;
      const { xMin, yMin, xMax, yMax } = placed.box;
      return boxAroundRotated([(xMin + xMax) / 2, (yMin + yMax) / 2, xMax - xMin, yMax - yMin, angle]);
    }
    case 'polygon': {
      const box = boxAround(String(fieldOf(element, 'points')).split(/[;,]/).map(numberOf));
      return box && { box, outline: 'polygon' };
    }
    case 'ellipse': {
      const [x, y, rx, ry] = numbers('cx', 'cy', 'rx', 'ry');
      return placeEllipse(x, y, rx, ry, angle);
    }
    case 'mask': {
      const [x, y, width, height] = numbers('left', 'top', 'width', 'height');
      if (x === undefined || y === undefined || width === undefined || height === undefined) return undefined;
      return { box: { xMin: x, yMin: y, xMax: x + width, yMax: y + height }, outline: 'mask' };
    }
    default:
      return undefined;
  }
}
