import { shuffled } from '#engine/training/seeded-random.js';
import { ctcPosterior } from './ctc-posterior.js';
import type { Products } from './products.js';

/** A strip whose text is known. */
export interface LabelledFeatures {
  readonly steps: number;
  /** [steps, dims] */
  readonly features: Float32Array;
  /** [steps]: log of the sum of exp of all logits that are not trained. */
  readonly frozen: Float32Array;
  /** The trained character, from 0 on, at each place of the label; -1 for another. */
  readonly trained: Int32Array;
  /** What tells the characters of the label apart: equal neighbours need a blank between them. */
  readonly label: Int32Array;
  /** [steps, 1 + label]: logits of the blank and of the label's characters; any number for trained ones. */
  readonly logits: Float32Array;
}

/** Rows of the last layer for the trained characters. */
export interface LetterRows {
  /** [characters, dims] */
  readonly weights: Float32Array;
  readonly biases: Float32Array;
}

export interface FitOptions {
  readonly epochs: number;
  /** Of Adam, at the beginning; it falls to a tenth. */
  readonly learningRate: number;
  /** Strips whose gradients are one step. */
  readonly batch: number;
  readonly random: () => number;
  readonly products: Products;
  onEpoch(epoch: number, meanLoss: number): void;
}

/**
 * Learns rows of a last layer by the loss of CTC while all others stay: softmax over all, Adam (Kingma and Ba 2015).
 * @param start where the trained rows begin
 */
export async function fitLetters(
  strips: readonly LabelledFeatures[],
  start: LetterRows,
  { epochs, learningRate, batch, random, products, onEpoch }: FitOptions,
): Promise<LetterRows> {
  const rows = { weights: start.weights.slice(), biases: start.biases.slice() };
  const count = rows.biases.length;
  const dims = rows.weights.length / count;
  const [stepWeights, stepBiases] = [createAdam(rows.weights), createAdam(rows.biases)];
  const total = Math.ceil(strips.length / batch) * epochs;
  let done = 0;
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    const order = shuffled(strips, random);
    let loss = 0;
    for (let from = 0; from < order.length; from += batch) {
      const members = order.slice(from, from + batch);
      const features = joined(members.map((strip) => strip.features));
      const scores = await products.timesTransposed(features, rows.weights, dims);
      loss += toGradient(members, scores, rows.biases);
      const rate = learningRate * (0.1 + 0.45 * (1 + Math.cos((Math.PI * done) / total)));
      stepWeights(await products.transposedTimes(scores, features, scores.length / count), rate);
      stepBiases(sumOfRows(scores, count), rate);
      done += 1;
    }
    onEpoch(epoch, loss / order.length);
  }
  return rows;
}

/**
 * Turns scores into the gradient of the loss, in place: what is predicted less what the label wants.
 * @param scores [steps of all strips, trained characters], without biases
 * @returns the sum of losses
 */
function toGradient(strips: readonly LabelledFeatures[], scores: Float32Array, biases: Float32Array): number {
  const count = biases.length;
  let loss = 0;
  let first = 0;
  for (const strip of strips) {
    const { steps, frozen, trained, label, logits } = strip;
    const own = scores.subarray(first * count, (first + steps) * count);
    first += steps;
    const positions = 2 * label.length + 1;
    const logs = new Float64Array(steps * positions);
    for (let step = 0; step < steps; step += 1) {
      const row = own.subarray(step * count, (step + 1) * count);
      let sum = Math.exp(frozen[step] ?? 0);
      row.forEach((score, at) => {
        row[at] = score + (biases[at] ?? 0);
        sum += Math.exp(row[at] ?? 0);
      });
      const total = Math.log(sum);
      const known = step * (label.length + 1);
      for (let position = 0; position < positions; position += 1) {
        const place = (position - 1) / 2;
        const character = position % 2 === 1 ? (trained[place] ?? -1) : -1;
        const logit = character >= 0 ? row[character] : logits[known + (position % 2 === 1 ? place + 1 : 0)];
        logs[step * positions + position] = (logit ?? 0) - total;
      }
      row.forEach((score, at) => {
        row[at] = Math.exp(score - total);
      });
    }
    const posterior = new Float64Array(steps * positions);
    const own_loss = ctcPosterior(logs, label, steps, posterior);
    if (!Number.isFinite(own_loss)) {
      own.fill(0);
      continue;
    }
    loss += own_loss;
    trained.forEach((character, place) => {
      if (character < 0) return;
      for (let step = 0; step < steps; step += 1) {
        const at = step * count + character;
        own[at] = (own[at] ?? 0) - (posterior[step * positions + 2 * place + 1] ?? 0);
      }
    });
  }
  return loss;
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function sumOfRows(matrix: Float32Array, columns: number): Float32Array {
  const sums = new Float32Array(columns);
  matrix.forEach((value, at) => {
    sums[at % columns] = (sums[at % columns] ?? 0) + value;
  });
  return sums;
}

/** One step of Adam on `values`, in place. */
function createAdam(values: Float32Array): (gradient: Float32Array, rate: number) => void {
  const [first, second] = [new Float64Array(values.length), new Float64Array(values.length)];
  let time = 0;
  return (gradient, rate) => {
    time += 1;
    const [a, b] = [1 - 0.9 ** time, 1 - 0.999 ** time];
    gradient.forEach((slope, at) => {
      const mean = 0.9 * (first[at] ?? 0) + 0.1 * slope;
      const power = 0.999 * (second[at] ?? 0) + 0.001 * slope * slope;
      first[at] = mean;
      second[at] = power;
      values[at] = (values[at] ?? 0) - (rate * mean) / a / (Math.sqrt(power / b) + 1e-8);
    });
  };
}
