import { type Evidence, type FoundHead, unitOf } from './evidence.js';
import type { DetectorLayout } from './import-options.js';
import { scales, type UsualInput } from './input.js';
import { numbered, ownLabels } from './labels.js';
import type { Observed } from './observe.js';
import type { Boxes } from './plan.js';

const strides = [8, 16, 32];
/** No detector has fewer boxes. */
const fewestBoxes = 20;

type Layout = Extract<DetectorLayout, 'yolov5' | 'yolov8' | 'yolox' | 'rows'>;

/** YOLO of any version: one output with an axis of boxes and an axis of columns. */
export function recogniseColumns(evidence: Evidence, options: Layout | undefined): FoundHead | undefined {
  const { seen, net, known, width, height } = evidence;
  const output = seen.find(({ dims }) => dims.length === 3 && dims[0] === 1);
  if (output === undefined) return undefined;
  const [, second = 0, third = 0] = output.dims;
  if (options === 'rows' || (options === undefined && third === 6 && isRows(output)))
    return rows(evidence, output);
  const columnsFirst = second < third;
  const [columns, count] = columnsFirst ? [second, third] : [third, second];
  if (columns < 5 || count < fewestBoxes) return undefined;
  const cells = strides.reduce((sum, each) => sum + Math.floor(width / each) * Math.floor(height / each), 0);
  const own = ownLabels(evidence.options.labels, net.hints.labels, columns - 4);
  const layout = options ?? layoutOf(columnsFirst, count === cells, columns, own?.length);
  const objectness = layout !== 'yolov8';
  const classes = columns - (objectness ? 5 : 4);
  if (classes < 1) return undefined;
  // Masks and key points follow the classes; only a file with class names shows where.
  const count80 = classes === known.coco.size;
  const labels =
    own !== undefined && own.length <= classes ? own : count80 ? [...known.coco.values()] : numbered(classes);
  const notes = labelsNotes(own, classes, count80);
  const at = (row: number, column: number) =>
    output.data[columnsFirst ? column * count + row : row * columns + column] ?? 0;
  const boxes = boxesOf(evidence, layout, count, at);
  return {
    family: 'detector',
    head: {
      head: 'columns',
      output: output.name,
      columnsFirst,
      objectness,
      boxes,
      activation: evidence.options.activation ?? activationOf(count, 4, columns, at),
    },
    labels,
    usual: usualOf(layout),
    notes: [`Read as ${layout}: ${count} boxes of ${columns} numbers.`, ...notes],
  };
}

/** YOLOv8 has its columns first; YOLOv5 three boxes to a cell, YOLOX one, both with objectness. */
function layoutOf(
  columnsFirst: boolean,
  oneACell: boolean,
  columns: number,
  labels: number | undefined,
): Layout {
  if (columnsFirst) return 'yolov8';
  if (oneACell && labels !== undefined && columns === labels + 4) return 'yolov8';
  return oneACell ? 'yolox' : 'yolov5';
}

function boxesOf(
  evidence: Evidence,
  layout: Layout,
  count: number,
  at: (row: number, column: number) => number,
): Boxes {
  const format = evidence.options.boxes?.format ?? 'cxcywh';
  const sides = Array.from({ length: count }, (_, row) => [at(row, 0), at(row, 1), at(row, 2), at(row, 3)]);
  // No side is negative, but a logarithm of one is.
  const isRaw = layout === 'yolox' && sides.some(([, , w = 0, h = 0]) => w < 0 || h < 0);
  if (isRaw) return { format, unit: 'pixels', strides };
  return { format, unit: unitOf(evidence, sides.flat()) };
}

function activationOf(
  count: number,
  from: number,
  columns: number,
  at: (row: number, column: number) => number,
): 'none' | 'sigmoid' {
  for (let row = 0; row < count; row++) {
    for (let column = from; column < Math.min(columns, from + 2); column++) {
      const score = at(row, column);
      if (score < -1e-3 || score > 1.001) return 'sigmoid';
    }
  }
  return 'none';
}

function usualOf(layout: Layout): UsualInput {
  if (layout === 'yolox') return { scale: scales.bgrBytes, fit: 'letterbox', place: 'corner' };
  return { scale: scales.upTo1, fit: 'letterbox' };
}

/** Scores between 0 and 1, classes in whole numbers. */
function isRows({ data, dims }: Observed): boolean {
  const count = dims[1] ?? 0;
  if (count > 5_000) return false;
  for (let row = 0; row < count; row++) {
    const [score = 0, label = 0] = [data[row * 6 + 4], data[row * 6 + 5]];
    if (score < -1 || score > 1.001 || Math.abs(label - Math.round(label)) > 0.01) return false;
  }
  return true;
}

function rows(evidence: Evidence, output: Observed): FoundHead {
  const { net, known, options } = evidence;
  const own = ownLabels(options.labels, net.hints.labels);
  const sides = output.data.filter((_, index) => index % 6 < 4);
  const notes = ['Read as finished boxes: corners, score and class number in each row.'];
  if (own === undefined)
    notes.push('The file names no classes; those of COCO are assumed: give labels where they are others.');
  return {
    family: 'detector',
    head: {
      head: 'rows',
      output: output.name,
      boxes: { format: options.boxes?.format ?? 'xyxy', unit: unitOf(evidence, sides) },
      firstClass: options.firstClass ?? 0,
    },
    labels: own ?? [...known.coco.values()],
    usual: { scale: scales.upTo1, fit: 'letterbox' },
    notes,
  };
}

function labelsNotes(own: readonly string[] | undefined, classes: number, isCoco: boolean): string[] {
  if (own === undefined) {
    return isCoco
      ? ["The file names no classes; COCO's are assumed by their number."]
      : ['The file names no classes; give labels to show more than their numbers.'];
  }
  const rest = classes - own.length;
  if (rest === 0) return [];
  if (rest < 0) return [`${own.length} labels do not fit ${classes} classes and are left out.`];
  return [
    `Each box has ${classes} numbers after it and there are ${own.length} labels; the last ${rest === 1 ? 'one is' : `${rest} are`} taken for masks or ` +
      `key points and not read. Give ${classes} labels where they are scores of classes.`,
  ];
}
