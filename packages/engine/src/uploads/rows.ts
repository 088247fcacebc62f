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

/** Finished boxes, overlaps suppressed already: one row each of box, score and class, and what belongs to it. */
export function recogniseRows(evidence: Evidence, isAsked: boolean): FoundHead | undefined {
  const { ultralytics } = evidence.net.hints;
  const isDetector = isAsked || ultralytics !== undefined;
  const output = evidence.seen.find(({ name }) => isTable(everySight(evidence, name), isDetector));
  if (output === undefined) return undefined;
  const sights = everySight(evidence, output.name);
  const width = output.dims.at(-1) ?? 0;
  // A row for each cell of a grid is no finished box, whatever it holds: YOLOv5 never trains the score of an only class, which stays near 1.
  const isGrid = isGridCount(evidence, output.dims.at(-2) ?? 0);
  if (ultralytics?.task !== undefined && !isAsked) {
    if (ultralytics.isFinished === false) return undefined;
    const expected = rowWidth(evidence);
    if (width !== expected && ultralytics.isFinished === true)
      throw new UploadRefused(
        `the file says that its boxes are finished (end2end or nms) for the task ${ultralytics.task}, that is rows of ${expected} numbers, ` +
          `but it gives ${output.title} [${output.dims}]; export it again, or without nms`,
      );
    const isOne = ultralytics.isFinished === true || (!isGrid && areFinished(sights, plainRow, evidence));
    if (width !== expected || !isOne) return undefined;
    return found(evidence, output, sights, ultralytics.task === 'obb' ? turned : plainRow);
  }
  if (isGrid && !isAsked) return undefined;
  const columns = columnsOf(evidence, output, sights, isAsked);
  return columns && found(evidence, output, sights, columns);
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
  output: Observed,
  sights: readonly Observed[],
  isAsked: boolean,
): RowColumns | undefined {
  const width = output.dims.at(-1) ?? 0;
  const isFinished = (columns: RowColumns) => areFinished(sights, columns, evidence);
  if (width === 6) return isAsked || isFinished(plainRow) ? plainRow : undefined;
  if (width === 7 && areOfDetectionOutput(sights)) return detectionOutput;
  if (width === 7 && output.dims.length === 4) return isAsked ? detectionOutput : undefined;
  if (width === 7 && output.dims.length === 2)
    return afterImage.find(isFinished) ?? (isAsked ? afterImage[0] : undefined);
  // YOLOv5's own exports have no other rows.
  if (evidence.net.hints.ultralytics !== undefined) return undefined;
  if (width === 7) return isFinished(turned) ? turned : undefined;
  const isMasked = width === 6 + (prototypesOf(evidence) ?? 32);
  const isPose = width > 8 && (width - 6) % 3 === 0;
  const isKnown = isMasked || width === 6 + 51 || (isPose && hasAnswer(sights));
  return isKnown && (output.dims.at(-2) ?? 0) > width && isFinished(plainRow) ? plainRow : undefined;
}

/**
 * The first row, at least, is of image 0 with a score of 0 to 1, and its corners are shares of the sides in their order; rows of no
 * image fill the rest, with -1 or with zeros. Boxes of YOLOv7 begin with the image too, and have pixels where these have a class and a score.
 */
function areOfDetectionOutput(sights: readonly Observed[]): boolean {
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
  return isFit && (isFound || sights.every(({ dims }) => dims.length === 4));
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) < 1e-3;
}

/** Rows of an unusual width are recognised by a box that was answered: zeros may be anything. */
function hasAnswer(sights: readonly Observed[]): boolean {
  return sights.some((sight) => rowsOf(sight).some((row) => (row[plainRow.score] ?? 0) >= leastScore));
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
