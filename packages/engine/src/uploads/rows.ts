import { readBoxes } from './box-reading.js';
import { firstClassOf, leastScore } from './class-numbers.js';
import { type Evidence, everySight, type FoundHead, prototypesOf } from './evidence.js';
import { isGridCount } from './grid.js';
import { scales } from './input.js';
import { ownLabels } from './labels.js';
import type { Observed } from './observe.js';
import { plainRow, type RowColumns } from './plan.js';
import { UploadRefused } from './upload-refused.js';

const mostRows = 5_000;
/** Ultralytics' turned boxes; masks and key points follow at the same column, and are not read. */
const turned: RowColumns = { ...plainRow, angle: 6 };
/** YOLOv7 and YOLO-NAS begin with the number of the image. */
const afterImage: readonly RowColumns[] = [
  { box: 1, score: 6, class: 5 },
  { box: 1, score: 5, class: 6 },
];

/** OpenVINO's and Caffe's DetectionOutput: the number of the image, class, score, and corners in shares of the sides. */
const detectionOutput: RowColumns = { box: 3, score: 2, class: 1 };

/** An output that may hold rows. */
interface Table {
  readonly output: Observed;
  /** The output for each of the drawn images. */
  readonly sights: readonly Observed[];
  readonly width: number;
  /** A row for each cell of a grid is no finished box, whatever it holds: YOLOv5 never trains the score of an only class, which stays near 1. */
  readonly isGrid: boolean;
}

/** Finished boxes, overlaps suppressed already: one row each of box, score and class, and what belongs to it. */
export function recogniseRows(evidence: Evidence, isAsked: boolean): FoundHead | undefined {
  const { ultralytics } = evidence.net.hints;
  const tables = tablesOf(evidence, isAsked || ultralytics !== undefined);
  if (ultralytics?.task !== undefined && !isAsked) return recogniseTaskRows(evidence, tables);
  const known = tables.filter(({ isGrid }) => !isGrid);
  return (
    firstFitting(evidence, known, (table) => columnsOf(evidence, table, false)) ??
    (isAsked ? firstFitting(evidence, tables, (table) => columnsOf(evidence, table, true)) : undefined)
  );
}

/**
 * DetectionOutput without a row for any of the drawn images. Any output of zeros looks like that, so this counts only where no other output
 * is recognised.
 */
export function recogniseEmptyRows(evidence: Evidence): FoundHead | undefined {
  if (evidence.net.hints.ultralytics?.task !== undefined) return undefined;
  const tables = tablesOf(evidence, false).filter(({ isGrid }) => !isGrid);
  return firstFitting(evidence, tables, (table) =>
    isEmptyDetectionOutput(table) ? detectionOutput : undefined,
  );
}

/** Rows as the metadata of Ultralytics describe them. */
function recogniseTaskRows(evidence: Evidence, all: readonly Table[]): FoundHead | undefined {
  const { isFinished, task } = evidence.net.hints.ultralytics ?? {};
  const tables = all.filter(({ output }) => output.dims.length < 4);
  const [first] = tables;
  if (first === undefined || isFinished === false) return undefined;
  const expected = rowWidth(evidence);
  const fitting = tables.filter(({ width }) => width === expected);
  if (fitting.length === 0 && isFinished === true)
    throw new UploadRefused(
      `the file says that its boxes are finished (end2end or nms) for the task ${task}, that is rows of ${expected} numbers, ` +
        `but it gives ${first.output.title} [${first.output.dims}]; export it again, or without nms`,
    );
  return firstFitting(evidence, fitting, ({ sights, isGrid }) => {
    const isOne = isFinished === true || (!isGrid && areFinished(sights, plainRow, evidence));
    if (!isOne) return undefined;
    return task === 'obb' ? turned : plainRow;
  });
}

/** Outputs without a row, which may be something else, come last. */
function tablesOf(evidence: Evidence, isDetector: boolean): Table[] {
  const tables = evidence.seen.flatMap((output): Table[] => {
    const sights = everySight(evidence, output.name);
    if (!isTable(sights, isDetector)) return [];
    const isGrid = isGridCount(evidence, output.dims.at(-2) ?? 0);
    return [{ output, sights, width: output.dims.at(-1) ?? 0, isGrid }];
  });
  const isEmpty = new Map(tables.map((table) => [table, isEmptyDetectionOutput(table)]));
  return [...tables.filter((table) => !isEmpty.get(table)), ...tables.filter((table) => isEmpty.get(table))];
}

/** Of several outputs that fit, the first one with a box for a drawn image; else the first. */
function firstFitting(
  evidence: Evidence,
  tables: readonly Table[],
  columnsIn: (table: Table) => RowColumns | undefined,
): FoundHead | undefined {
  const fitting = tables.flatMap((table) => {
    const columns = columnsIn(table);
    return columns === undefined ? [] : [{ ...table, columns }];
  });
  const best = fitting.find(({ sights, columns }) => hasAnswer(sights, columns)) ?? fitting[0];
  return best && found(evidence, best.output, best.sights, best.columns);
}

/** [1,n,columns], or [n,columns] with an n that changes: [1,n] of every image may be a classifier's. */
function isTable(sights: readonly Observed[], isDetector: boolean): boolean {
  return (
    sights.every(({ dims: [first = 0, second = 0, ...more] }) =>
      more.length === 2
        ? first === 1 && second === 1 && more[1] === 7 && (more[0] ?? 0) <= mostRows
        : more.length === 1
          ? first === 1 && second <= mostRows
          : more.length === 0 && second >= 6,
    ) && sights.some(({ dims }) => dims.length >= 3 || isDetector || dims[0] !== 1)
  );
}

function rowWidth(evidence: Evidence): number {
  const { task, keyPointNumbers = 51 } = evidence.net.hints.ultralytics ?? {};
  switch (task) {
    case 'segment':
      return 6 + (prototypesOf(evidence) ?? 32);
    case 'pose':
      return 6 + keyPointNumbers;
    case 'obb':
      return 7;
    default:
      return 6;
  }
}

/** By the width of a row and its values. */
function columnsOf(
  evidence: Evidence,
  { output, sights, width }: Table,
  isAsked: boolean,
): RowColumns | undefined {
  const isFinished = (columns: RowColumns) => areFinished(sights, columns, evidence);
  if (width === 6) return isAsked || isFinished(plainRow) ? plainRow : undefined;
  if (width === 7 && kindOfDetectionOutput(sights) === 'rows') return detectionOutput;
  if (width === 7 && output.dims.length === 4) return isAsked ? detectionOutput : undefined;
  if (width === 7 && output.dims.length === 2)
    return afterImage.find(isFinished) ?? (isAsked ? afterImage[0] : undefined);
  // YOLOv5's own exports have no other rows.
  if (evidence.net.hints.ultralytics !== undefined) return undefined;
  if (width === 7) return isFinished(turned) ? turned : undefined;
  const isMasked = width === 6 + (prototypesOf(evidence) ?? 32);
  const isPose = width > 8 && (width - 6) % 3 === 0;
  const isKnown = isMasked || width === 6 + 51 || (isPose && hasAnswer(sights, plainRow));
  return isKnown && (output.dims.at(-2) ?? 0) > width && isFinished(plainRow) ? plainRow : undefined;
}

/** Without a row for any of the images. */
function isEmptyDetectionOutput({ output, sights, width }: Table): boolean {
  return output.dims.length === 4 && width === 7 && kindOfDetectionOutput(sights) === 'empty';
}

/**
 * `rows`: the first row, at least, is of image 0 with a score of 0 to 1, and its corners are shares of the sides in their order; rows of no
 * image fill the rest, with -1 or with zeros. Boxes of YOLOv7 begin with the image too, and have pixels where these have a class and a score.
 */
function kindOfDetectionOutput(sights: readonly Observed[]): 'rows' | 'empty' | undefined {
  let isFound = false;
  const isFit = sights.every((sight) =>
    rowsOf(sight).every((row) => {
      const [image = 0, label = 0, score = 0, left = 0, top = 0, right = 0, bottom = 0] = row;
      if (isNear(image, -1)) return true;
      const isEmpty = row.every((number) => isNear(number, 0));
      if (isEmpty) return true;
      isFound = true;
      const corners = [left, top, right, bottom];
      const isInside = corners.every((corner) => corner >= -0.5 && corner <= 1.5);
      // A row that is hardly a box may have any corners.
      const isInOrder = score < leastScore || (left <= right && top <= bottom);
      return (
        isNear(image, 0) &&
        isNear(label, Math.round(label)) &&
        label > -0.5 &&
        score >= -1e-3 &&
        score <= 1.001 &&
        isInside &&
        isInOrder
      );
    }),
  );
  if (!isFit) return undefined;
  return isFound ? 'rows' : 'empty';
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) < 1e-3;
}

/** Zeros may be anything: rows of an unusual width, and one of several outputs, are recognised by a box that was answered. */
function hasAnswer(sights: readonly Observed[], columns: RowColumns): boolean {
  return sights.some((sight) => rowsOf(sight).some((row) => (row[columns.score] ?? 0) >= leastScore));
}

/** Scores between 0 and 1, classes in whole numbers; -1 fills rows that are no boxes. */
function areFinished(sights: readonly Observed[], columns: RowColumns, { net }: Evidence): boolean {
  const tolerance = net.format === 'onnx' ? 1e-4 : 0.01;
  return sights.every((sight) =>
    rowsOf(sight).every((row) => {
      const [score = 0, label = 0] = [row[columns.score], row[columns.class]];
      return (
        score >= -1 &&
        score <= 1.001 &&
        label >= -1 - tolerance &&
        Math.abs(label - Math.round(label)) <= tolerance
      );
    }),
  );
}

function rowsOf({ data, dims }: Observed): Float32Array[] {
  const width = dims.at(-1) ?? 1;
  return Array.from({ length: data.length / width }, (_, index) =>
    data.subarray(index * width, (index + 1) * width),
  );
}

function found(
  evidence: Evidence,
  output: Observed,
  sights: readonly Observed[],
  columns: RowColumns,
): FoundHead {
  const { net, known, options } = evidence;
  const own = ownLabels(options.labels, net.hints.labels);
  const width = output.dims.at(-1) ?? 0;
  const shown = sights.map((sight) =>
    rowsOf(sight)
      .map((row) => ({
        sides: [0, 1, 2, 3].map((side) => row[columns.box + side] ?? 0) as [number, number, number, number],
        score: row[columns.score] ?? 0,
        label: Math.round(row[columns.class] ?? 0),
      }))
      .filter(({ score }) => score > 0),
  );
  const isDetectionOutput = columns === detectionOutput;
  const isTurned = columns.angle !== undefined;
  const reading = readBoxes(evidence, shown, {
    format: isTurned ? 'cxcywh' : 'xyxy',
    unit: net.format === 'onnx' && !isDetectionOutput ? 'pixels' : 'relative',
    others: isDetectionOutput || isTurned || net.hints.ultralytics !== undefined ? [] : ['cxcywh', 'yxyx'],
  });
  const answered = shown.flat().filter(({ score }) => score >= leastScore);
  const { firstClass, notes } = firstClassOf({
    options,
    answered: answered.map(({ label }) => label),
    labels: own?.length,
    // Class 0 of these is the background.
    usual: isDetectionOutput
      ? { firstClass: 1, as: 'those of DetectionOutput do' }
      : { firstClass: 0, as: 'usual' },
  });
  const rest = isDetectionOutput ? 0 : width - (columns.box + 6) - (isTurned ? 1 : 0);
  return {
    family: 'detector',
    head: { head: 'rows', output: output.name, boxes: reading.boxes, firstClass, width, columns },
    labels: own ?? [...known.coco.values()],
    usual: { scale: scales.upTo1, fit: 'letterbox' },
    notes: [
      ...(isDetectionOutput ? ['Read as rows of DetectionOutput: image, class, score and corners.'] : []),
      `Read as finished boxes: box, score and class number in each row of ${width}${rest > 0 ? `; ${rest} more of masks or key points are not read` : ''}.`,
      ...(isTurned ? ['Turned boxes are answered as the upright boxes around them.'] : []),
      ...reading.notes,
      ...notes,
      ...(own === undefined
        ? ['The file names no classes; those of COCO are assumed: give labels where they are others.']
        : []),
    ],
  };
}
