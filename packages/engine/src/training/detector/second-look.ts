import { expandHead, prepareFeatures, solve } from '../classifier/fit-head.js';
import type { ScoreLine } from './score-line.js';

/**
 * Says of a crop whether it shows a label: a linear map of a classifier's features. It sees what anchors do not, so that it rejects
 * boxes on other things and finds faint objects; but a part of an object is as good for it as the whole, so that it must not choose
 * between boxes.
 */
export interface SecondLook extends LookRule {
  /** A label each: [dims] */
  readonly weights: readonly Float32Array[];
  /** A label each. */
  readonly biases: readonly number[];
}

/** How a crop's logit raises or lowers a box's: by `gain` x min(logit, `cap`). */
interface LookRule {
  readonly gain: number;
  readonly cap: number;
  /** A box is looked at from this logit on: in what a head scores lower there was no object. */
  readonly leastLogit: number;
}

/** A crop of a labelled box, or of something that shows no label. */
export interface CropRow {
  readonly features: Float32Array;
  /** Undefined where it shows none. */
  readonly label?: number;
  readonly weight: number;
}

/** Below this number of labelled boxes of a label, its boxes are not looked at again. */
const leastBoxes = 5;
/** Below this number of crops that show no label. */
const leastOthers = 20;
/** Weight of each side against the decay of 1; 30 and 400 were worse on half of the labelled images. */
const lambda = 0.01;
/** Logit of a crop for a label that has too few boxes: the raise of an object that is neither clear nor unlike. */
const unknown = 1;

/** Chosen on half of the labelled images (docs/training-detectors.md). */
const rule: LookRule = { gain: 3, cap: 2, leastLogit: -4 };

/** A second look at shown logits, with the line to them folded in. */
export function lookOnLine({ slope, shift }: ScoreLine, look: SecondLook): SecondLook {
  return { ...look, gain: slope * look.gain, leastLogit: slope * look.leastLogit + shift };
}

/** @returns undefined where nothing can be learnt from these rows. */
export function fitSecondLook(rows: readonly CropRow[], labels: number): SecondLook | undefined {
  const dims = rows[0]?.features.length ?? 0;
  const boxes = countBoxes(rows, labels);
  const learnt = boxes.map((count) => count >= leastBoxes);
  if (!learnt.includes(true) || rows.filter(({ label }) => label === undefined).length < leastOthers)
    return undefined;
  const data = new Float32Array(rows.length * dims);
  for (const [row, { features }] of rows.entries()) data.set(features, row * dims);
  const targets = new Float64Array(rows.length * labels);
  const weights = new Float64Array(rows.length * labels);
  for (let label = 0; label < labels; label++) {
    const shares = { right: 0, wrong: 0 };
    for (const row of rows) shares[row.label === label ? 'right' : 'wrong'] += row.weight;
    rows.forEach((row, index) => {
      const isRight = row.label === label;
      targets[index * labels + label] = isRight ? 1 : 0;
      weights[index * labels + label] = learnt[label] ? row.weight / shares[isRight ? 'right' : 'wrong'] : 0;
    });
  }
  const prepared = prepareFeatures({ data, rows: rows.length, columns: dims });
  const table = (values: Float64Array) => ({ data: values, rows: rows.length, columns: labels });
  const problem = {
    features: prepared.reduced.rows,
    targets: table(targets),
    weights: table(weights),
    lambda,
  };
  const head = expandHead(solve({ ...problem, link: 'sigmoid' }), prepared);
  return {
    ...rule,
    weights: learnt.map((_, label) =>
      Float32Array.from(head.weights.data.subarray(label * dims, (label + 1) * dims)),
    ),
    biases: learnt.map((isLearnt, label) => (isLearnt ? (head.bias[label] ?? 0) : unknown)),
  };
}

/** What is added to the logit of a box. */
export function raiseOf(look: SecondLook, label: number, features: Float32Array): number {
  return look.gain * Math.min(look.cap, cropLogit(look, label, features));
}

function cropLogit({ weights, biases }: SecondLook, label: number, features: Float32Array): number {
  const own = weights[label] ?? new Float32Array();
  return own.reduce((sum, weight, dim) => sum + weight * (features[dim] ?? 0), biases[label] ?? unknown);
}

function countBoxes(rows: readonly CropRow[], labels: number): number[] {
  const counts = new Array<number>(labels).fill(0);
  for (const { label } of rows) if (label !== undefined) counts[label] = (counts[label] ?? 0) + 1;
  return counts;
}
