import type { Box } from '@lynceus/engine';
import { boxAround } from './coco-outline.js';

/** `kpt_shape` of `data.yaml`: the points of an object, and the numbers of each. */
export interface PoseShape {
  readonly points: number;
  readonly dims: number;
}

/** A line as `class x y width height`, or a longer one, which may be read in two ways. */
export interface YoloLine {
  readonly index: number;
  /** Of a line with a box alone. */
  readonly box?: Box;
  readonly long?: LongLine;
}

interface LongLine {
  /** Numbers after the class. */
  readonly length: number;
  /** Around the points, when all of it are points; `isSimple`: no side crosses another, as of nearly all drawn polygons. */
  readonly polygon: { readonly box: Box; readonly isSimple: boolean } | null;
  /** A box with points of two or of three numbers, all of which are near it. */
  readonly pose: { readonly box: Box; readonly dims: 2 | 3 } | null;
}

export interface YoloFault {
  /** From 1. */
  readonly line: number;
  readonly reason: string;
}

/** The objects of a text file, and what is wrong with its other lines. */
export function parseLines(
  text: string,
  shape: PoseShape | null = null,
): { readonly lines: readonly YoloLine[]; readonly faults: readonly YoloFault[] } {
  const lines: YoloLine[] = [];
  const faults: YoloFault[] = [];
  text.split(/\r\n|\n|\r/).forEach((line, number) => {
    if (line.trim() === '') return;
    const parsed = parseLine(line.trim(), shape);
    if (typeof parsed === 'string') faults.push({ line: number + 1, reason: parsed });
    else lines.push(parsed);
  });
  return { lines, faults };
}

function parseLine(line: string, shape: PoseShape | null): YoloLine | string {
  const values = line.split(/\s+/).map(Number);
  const [index = -1, ...rest] = values;
  if (!values.every(Number.isFinite)) {
    const isComma = /^[\d\s.,+-]+$/.test(line) && line.includes(',');
    return isComma
      ? 'has commas: numbers are written with a point, and with spaces between them'
      : 'is not a class and a box in shares of the sides';
  }
  if (!Number.isInteger(index) || index < 0) return 'begins with no class number';
  // Of four numbers, or of four and a score.
  if (rest.length === 4 || rest.length === 5) return { index, box: boxAt(rest) };
  if (shape) {
    const points = rest.length - 4;
    const numbers = shape.points * shape.dims;
    if (points === numbers || points === numbers + 1) return { index, box: boxAt(rest) };
    return `has ${rest.length} numbers after the class; with kpt_shape [${shape.points}, ${shape.dims}] there are ${4 + numbers}`;
  }
  const long = readLong(rest);
  if (long.polygon === null && long.pose === null) return 'is not a class and a box in shares of the sides';
  return { index, long };
}

function boxAt([x = 0, y = 0, width = 0, height = 0]: readonly number[]): Box {
  return { xMin: x - width / 2, yMin: y - height / 2, xMax: x + width / 2, yMax: y + height / 2 };
}

function readLong(values: readonly number[]): LongLine {
  const dims = ([3, 2] as const).find((each) => isPose(values, each));
  const pose = dims === undefined ? null : { box: boxAt(values), dims };
  // A predicted polygon has its score at the end.
  const points = values.length % 2 === 1 && values.length >= 7 ? values.slice(0, -1) : values;
  const box = values.length < 6 ? undefined : boxAround(points);
  return { length: values.length, polygon: box ? { box, isSimple: isSimple(points) } : null, pose };
}

/** So far outside the image or the box a value may be, as a share: programs round, and points are at the edge. */
const slack = 0.1;

function isPose(values: readonly number[], dims: number): boolean {
  const count = (values.length - 4) / dims;
  if (!Number.isInteger(count) || count < 1) return false;
  const box = boxAt(values);
  const [, , width = 0, height = 0] = values;
  if (
    width <= 0 ||
    height <= 0 ||
    box.xMin < -slack ||
    box.yMin < -slack ||
    box.xMax > 1 + slack ||
    box.yMax > 1 + slack
  )
    return false;
  for (let at = 4; at < values.length; at += dims) {
    const [x = 0, y = 0, flag = 2] = values.slice(at, at + dims);
    if (dims === 3 && ![0, 1, 2].includes(flag)) return false;
    // A point that was not marked.
    if (flag === 0 || (x === 0 && y === 0)) continue;
    const isNear =
      x > box.xMin - slack * width &&
      x < box.xMax + slack * width &&
      y > box.yMin - slack * height &&
      y < box.yMax + slack * height;
    if (!isNear) return false;
  }
  return true;
}

/** Polygons of more numbers than this count as simple: comparing each side with each other one would take too long. */
const maxCompared = 160;

function isSimple(values: readonly number[]): boolean {
  if (values.length > maxCompared) return true;
  const points = Array.from(
    { length: values.length / 2 },
    (_, at) => [values[2 * at] ?? 0, values[2 * at + 1] ?? 0] as const,
  );
  return points.every((a, first) =>
    points.every((c, second) => {
      const isNeighbour = second - first < 2 || (first === 0 && second === points.length - 1);
      if (isNeighbour) return true;
      const [b = a, d = c] = [points[(first + 1) % points.length], points[(second + 1) % points.length]];
      return !(sideOf(a, b, c) * sideOf(a, b, d) < 0 && sideOf(c, d, a) * sideOf(c, d, b) < 0);
    }),
  );
}

type Point = readonly [number, number];

function sideOf([ax, ay]: Point, [bx, by]: Point, [x, y]: Point): number {
  return (bx - ax) * (y - ay) - (by - ay) * (x - ax);
}

/** How the long lines of a dataset are read. */
type LongReading = 'polygon' | 'pose' | 'polygon-or-pose';

/**
 * Poses have the same numbers in every line, all points of all of them are near their boxes, and either they are marked as
 * seen or not, or as polygons they would be none.
 */
export function chooseReading(lines: readonly LongLine[]): LongReading {
  const [first] = lines;
  const isPose =
    first?.pose != null &&
    lines.every(({ length, pose }) => length === first.length && pose?.dims === first.pose?.dims);
  if (!isPose) return 'polygon';
  if (first.pose?.dims === 3) return 'pose';
  const polygons = lines.flatMap(({ polygon }) => polygon ?? []);
  if (polygons.length < lines.length || polygons.every(({ box, isSimple }) => !isSimple || !isInside(box)))
    return 'pose';
  return 'polygon-or-pose';
}

function isInside({ xMin, yMin, xMax, yMax }: Box): boolean {
  return xMin >= -slack && yMin >= -slack && xMax <= 1 + slack && yMax <= 1 + slack;
}
