import { type BoxReading, type RawBox, readBoxes } from './box-reading.js';
import { type ColumnClues, type ColumnParts, explainColumns } from './column-parts.js';
import { type Evidence, everySight, type FoundHead, fewestBoxes, prototypesOf } from './evidence.js';
import { gridCells, isGridCount, strides } from './grid.js';
import type { DetectorLayout } from './import-options.js';
import { scales, type UsualInput } from './input.js';
import { numbered, ownLabels } from './labels.js';
import type { Observed } from './observe.js';
import { UploadRefused } from './upload-refused.js';

type ColumnsLayout = Extract<DetectorLayout, 'yolov5' | 'yolov8' | 'yolox'>;

/** The numbers of an output with an axis of boxes and an axis of columns. */
interface Table {
  readonly output: Observed;
  readonly columnsFirst: boolean;
  readonly columns: number;
  readonly count: number;
  /** For each drawn image. */
  readonly sights: readonly ((row: number, column: number) => number)[];
}

/** YOLO of any version before its overlaps are suppressed. */
export function recogniseColumns(
  evidence: Evidence,
  asked: ColumnsLayout | undefined,
): FoundHead | undefined {
  const output = evidence.seen.find(({ dims }) => dims.length === 3 && dims[0] === 1);
  if (output === undefined) return undefined;
  const [, second = 0, third = 0] = output.dims;
  const columnsFirst = areColumnsFirst(evidence, second, third);
  const tables = [columnsFirst, !columnsFirst].map((first) => tableOf(evidence, output, first));
  for (const table of tables) {
    const own = ownLabels(evidence.options.labels, evidence.net.hints.labels, table.columns - 4);
    const parts = partsOf(evidence, table, own?.length, asked);
    if (parts !== undefined) return found(evidence, table, parts, own, asked);
    // Without names either axis would be explained.
    if (own === undefined) break;
  }
  const [natural] = tables;
  const { ultralytics, family } = evidence.net.hints;
  const isDetector =
    asked !== undefined || ultralytics !== undefined || (evidence.options.family ?? family) === 'detector';
  if (natural !== undefined && natural.count >= fewestBoxes && natural.columns >= 5 && isDetector)
    throw new UploadRefused(unexplained(evidence, natural));
  return undefined;
}

/** The axis of boxes is as long as the grids have cells; where neither or both are, it is the longer one. */
function areColumnsFirst(evidence: Evidence, second: number, third: number): boolean {
  const [isSecond, isThird] = [second, third].map((count) => isGridCount(evidence, count));
  // Both for 80 classes at 64 x 64 pixels; a YOLO with its columns last has 84 boxes of 85 numbers there.
  if (second === third) return isThird === true;
  return isSecond === isThird ? second < third : isThird === true;
}

function tableOf(evidence: Evidence, output: Observed, columnsFirst: boolean): Table {
  const [, second = 0, third = 0] = output.dims;
  const [columns, count] = columnsFirst ? [second, third] : [third, second];
  const sights = everySight(evidence, output.name).map(
    ({ data }) =>
      (row: number, column: number) =>
        data[columnsFirst ? column * count + row : row * columns + column] ?? 0,
  );
  return { output, columnsFirst, columns, count, sights };
}

function partsOf(
  evidence: Evidence,
  table: Table,
  labels: number | undefined,
  asked: ColumnsLayout | undefined,
): ColumnParts | undefined {
  const { columns, count, columnsFirst } = table;
  if (columns < 5 || count < fewestBoxes) return undefined;
  const clues: ColumnClues = {
    columns,
    columnsFirst,
    labels,
    objectness: asked === undefined ? undefined : asked !== 'yolov8',
    ultralytics: evidence.net.hints.ultralytics,
    prototypes: prototypesOf(evidence),
    isShare: (column) => areShares(table, column, column + 1),
  };
  return explainColumns(clues);
}

function areShares({ count, sights }: Table, from: number, to: number): boolean {
  return sights.every((at) => {
    for (let row = 0; row < count; row++) {
      for (let column = from; column < to; column++) {
        const score = at(row, column);
        if (score < -1e-3 || score > 1.001) return false;
      }
    }
    return true;
  });
}

function found(
  evidence: Evidence,
  table: Table,
  parts: ColumnParts,
  own: readonly string[] | undefined,
  asked: ColumnsLayout | undefined,
): FoundHead {
  const { known, options } = evidence;
  const { output, columnsFirst, columns, count } = table;
  const { objectness, classes, extra } = parts;
  const layout = asked ?? layoutOf(evidence, table, parts);
  const isCoco = classes === known.coco.size;
  const first = objectness ? 5 : 4;
  // Whether a sigmoid is left to do is seen of the scores alone: masks, key points and angles have any numbers.
  const activation = options.activation ?? (areShares(table, 4, first + classes) ? 'none' : 'sigmoid');
  const isTurned = extra.kind === 'the angle';
  const reading = boxesOf(evidence, table, layout, first + classes, isTurned);
  const counted = `${classes} ${classes === 1 ? 'class' : 'classes'}`;
  const rest =
    extra.columns === 0 ? '' : `, ${extra.columns} of ${extra.kind}${isTurned ? '' : ' (not read)'}`;
  return {
    family: 'detector',
    head: {
      head: 'columns',
      output: output.name,
      columnsFirst,
      objectness,
      boxes: reading.boxes,
      activation,
      ...(isTurned && { angleColumn: columns - 1 }),
    },
    labels: own ?? (isCoco ? [...known.coco.values()] : numbered(classes)),
    usual: usualOf(layout, table),
    notes: [
      `Read as ${layout}: ${count} boxes of ${columns} numbers: 4 of the box${objectness ? ', 1 of its objectness' : ''}, ${counted}${rest}.`,
      ...(isTurned ? ['Turned boxes are answered as the upright boxes around them.'] : []),
      ...(activation === 'sigmoid' && options.activation === undefined
        ? ['Its scores leave 0 to 1: a sigmoid is applied. Give activation where that is wrong.']
        : []),
      ...reading.notes,
      ...(own === undefined ? [isCoco ? cocoNote : numbersNote] : []),
    ],
  };
}

const cocoNote = "The file names no classes; COCO's are assumed by their number.";
const numbersNote = 'The file names no classes; give labels to show more than their numbers.';

/** YOLOv5 has three boxes to a cell, YOLOX one, both with objectness. */
function layoutOf(evidence: Evidence, { count }: Table, { objectness }: ColumnParts): ColumnsLayout {
  if (!objectness) return 'yolov8';
  return count === gridCells(evidence) ? 'yolox' : 'yolov5';
}

function boxesOf(
  evidence: Evidence,
  { count, sights }: Table,
  layout: ColumnsLayout,
  scoresEnd: number,
  isTurned: boolean,
): BoxReading {
  const boxes = sights.map((at) =>
    Array.from({ length: count }, (_, row): RawBox => {
      let score = 0;
      for (let column = 4; column < scoresEnd; column++) score = Math.max(score, at(row, column));
      return { sides: [at(row, 0), at(row, 1), at(row, 2), at(row, 3)], score };
    }),
  );
  // Undecoded boxes hold the logarithms of their sides, which are negative for sides smaller than a cell.
  const isRaw = layout === 'yolox' && boxes.flat().some(({ sides: [, , w, h] }) => w < 0 || h < 0);
  if (isRaw) {
    const format = evidence.options.boxes?.format ?? 'cxcywh';
    return { boxes: { format, unit: 'pixels', strides }, notes: [] };
  }
  const isSure = isTurned || evidence.net.hints.ultralytics !== undefined;
  const unit = evidence.net.format === 'onnx' ? 'pixels' : 'relative';
  return readBoxes(evidence, boxes, { format: 'cxcywh', unit, others: isSure ? [] : ['xyxy'] });
}

function usualOf(layout: ColumnsLayout, { count, sights }: Table): UsualInput {
  if (layout !== 'yolox') return { scale: scales.upTo1, fit: 'letterbox' };
  // YOLOv6 has the form of YOLOX, with an objectness that is always 1, and YOLOv5's preprocessing.
  const isYolov6 = sights.every((at) => {
    for (let row = 0; row < count; row++) if (at(row, 4) !== 1) return false;
    return true;
  });
  if (isYolov6) return { scale: scales.upTo1, fit: 'letterbox' };
  return { scale: scales.bgrBytes, fit: 'letterbox', place: 'corner' };
}

function unexplained({ net, options }: Evidence, { columns, columnsFirst, count }: Table): string {
  const labels = (options.labels ?? net.hints.labels)?.length;
  const { task } = net.hints.ultralytics ?? {};
  const shape = columnsFirst ? `[1,${columns},${count}]` : `[1,${count},${columns}]`;
  const named = labels === undefined ? 'its metadata' : `${labels} ${labels === 1 ? 'label' : 'labels'}`;
  const known = task ? `${named} and the task ${task}` : named;
  const verb = task || (labels ?? 0) > 1 ? 'do' : 'does';
  return (
    `the model gives ${shape}: each box has 4 numbers and ${columns - 4} more, which ${known} ${verb} not explain; ` +
    'give a label for each class, and of a segmentation, pose or turned boxes upload the file that Ultralytics exported, with its metadata'
  );
}
