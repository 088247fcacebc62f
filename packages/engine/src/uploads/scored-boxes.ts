import { elementCount } from '../onnx/graph/value.js';
import { readBoxes } from './box-reading.js';
import { firstClassOf, leastScore } from './class-numbers.js';
import { type Evidence, everySight, type FoundHead } from './evidence.js';
import { scales } from './input.js';
import { ownLabels } from './labels.js';
import type { Observed } from './observe.js';

interface ScoredBoxes {
  readonly dets: Observed;
  readonly classes: Observed;
}

/** Corners and the score. */
const width = 5;

/** MMDetection's finished boxes: `dets` [1,n,5] or [n,5] of corners and score, and `labels` [1,n] or [n] of class numbers. */
export function recogniseScoredBoxes(evidence: Evidence): FoundHead | undefined {
  const found = find(evidence);
  if (found === undefined) return undefined;
  const { net, options, known } = evidence;
  const { dets, classes } = found;
  const shown = answersOf(evidence, found);
  const own = ownLabels(options.labels, net.hints.labels);
  const reading = readBoxes(evidence, shown, { format: 'xyxy', unit: 'pixels', others: [] });
  const { firstClass, notes } = firstClassOf({
    options,
    answered: shown.flat().flatMap(({ score, label }) => (score >= leastScore ? [label] : [])),
    labels: own?.length,
    usual: { firstClass: 0, as: 'usual' },
  });
  return {
    family: 'detector',
    head: {
      head: 'scored-boxes',
      output: dets.name,
      classesOutput: classes.name,
      boxes: reading.boxes,
      firstClass,
    },
    labels: own ?? [...known.coco.values()],
    usual: { scale: scales.imagenet, fit: 'letterbox', place: 'corner' },
    notes: [
      `Read as an export of MMDetection: finished boxes with their scores in ${dets.title}, class numbers in ${classes.title}.`,
      ...notes,
      ...reading.notes,
      ...(own === undefined
        ? ['The file names no classes; those of COCO are assumed: give labels where they are others.']
        : []),
    ],
  };
}

function find(evidence: Evidence): ScoredBoxes | undefined {
  for (const dets of evidence.seen) {
    if (!areScored(everySight(evidence, dets.name))) continue;
    const count = dets.data.length / width;
    const classes = evidence.seen.find(
      (each) =>
        each !== dets &&
        each.data.length === count &&
        elementCount(each.dims) === each.dims.at(-1) &&
        (each.isInteger === true || /class|label/i.test(each.title)) &&
        everySight(evidence, each.name).every(({ data }) => data.every(Number.isInteger)),
    );
    if (classes !== undefined) return { dets, classes };
  }
  return undefined;
}

/** Rows of five numbers whose last one may be a score; a box of nothing has -1 or 0. */
function areScored(sights: readonly Observed[]): boolean {
  return sights.every(({ dims, data }) => {
    const isTable = dims.length === 2 || (dims.length === 3 && dims[0] === 1);
    return (
      isTable &&
      dims.at(-1) === width &&
      data.every((number, at) => at % width < 4 || (number >= -1 && number <= 1.001))
    );
  });
}

/** Boxes with their scores and class numbers, for each drawn image. */
function answersOf(evidence: Evidence, { dets, classes }: ScoredBoxes) {
  const classSights = everySight(evidence, classes.name);
  return everySight(evidence, dets.name).map(({ data }, image) =>
    Array.from({ length: data.length / width }, (_, row) => {
      const [a = 0, b = 0, c = 0, d = 0, score = 0] = data.subarray(row * width, (row + 1) * width);
      const sides = [a, b, c, d] as const;
      return { sides, score, label: classSights[image]?.data[row] ?? 0 };
    }).filter(({ score }) => score > 0),
  );
}
