import { type Head, scoreImages } from './fit-head.js';
import { type Link, logSumExp, sigmoid } from './head-loss.js';
import type { Matrix } from './matrix.js';
import { nearestCosine, noneProbability, type OpenSetGate } from './open-set.js';
import type { UnlikeGate } from './unlike-training.js';

/** Everything between features and probabilities. */
export interface TrainedHead {
  readonly head: Head;
  readonly link: Link;
  readonly temperature: number;
  /** Set where there is a class "none of these", which is then the last. */
  readonly gate?: OpenSetGate;
  /** Set where there are enough training images for it. */
  readonly unlike?: UnlikeGate;
}

/** Probabilities, a row an image, as the written model computes them. */
export function predict(trained: TrainedHead, features: Matrix): Matrix<Float64Array> {
  const { gate } = trained;
  const cosines =
    gate && Float64Array.from({ length: features.rows }, (_, row) => nearestCosine(gate, features, row));
  return toProbabilities(scoreImages(trained.head, features), cosines, trained);
}

/**
 * Probabilities of given logits, such as cross-validated ones.
 * @param cosines To the nearest centre of the gate, where there is one.
 */
export function toProbabilities(
  logits: Matrix,
  cosines: Float64Array | undefined,
  { link, temperature, gate }: Omit<TrainedHead, 'head'>,
): Matrix<Float64Array> {
  const { rows, columns: classes } = logits;
  const data = new Float64Array(rows * classes);
  for (let row = 0; row < rows; row++) {
    const scaled = Array.from(
      logits.data.subarray(row * classes, (row + 1) * classes),
      (logit) => logit / temperature,
    );
    const logSum = link === 'softmax' ? logSumExp(scaled) : 0;
    const none = gate && cosines ? noneProbability(gate, cosines[row] ?? 0) : 0;
    for (const [c, logit] of scaled.entries()) {
      const probability = link === 'softmax' ? Math.exp(logit - logSum) : sigmoid(logit);
      const isNone = gate !== undefined && c === classes - 1;
      data[row * classes + c] = probability * (1 - none) + (isNone ? none : 0);
    }
  }
  return { data, rows, columns: classes };
}
