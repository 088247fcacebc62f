import { pick } from '../letters/random-lines.js';

/** Steps of one script, and whether the recogniser reads it. */
export interface LabelledSteps {
  /** [steps, dims] */
  readonly features: Float32Array;
  readonly isReadable: boolean;
}

/** A net of one hidden layer over the features of a step: log odds that the script of the step is read. */
export interface ScriptNet {
  readonly dims: number;
  readonly hidden: number;
  /** One after the other: [dims, hidden], biases [hidden], weights [hidden], a bias. */
  readonly numbers: Float32Array;
}

export interface FitOptions {
  readonly dims: number;
  readonly hidden: number;
  readonly epochs: number;
  readonly learningRate: number;
  /** An even number: half of a batch is readable. */
  readonly batch: number;
  /** Share by which weights shrink at each step. */
  readonly decay: number;
  readonly random: () => number;
}

/**
 * How often only a part of the steps is shown, and how many it has at least: words are judged too, but a letter or two of another script may be
 * Latin ones.
 */
const partShare = 0.3;
const minSteps = 16;

/** Fits a net by Adam (Kingma, Ba 2014) to the logistic loss of the mean log odds; both kinds weigh the same. */
export function fitNet(all: readonly LabelledSteps[], options: FitOptions): ScriptNet {
  const { dims, hidden, epochs, learningRate, batch, decay, random } = options;
  const net = startNet(dims, hidden, random);
  const { numbers } = net;
  const readable = all.filter(({ isReadable }) => isReadable);
  const others = all.filter(({ isReadable }) => !isReadable);
  const [mean, square] = [new Float64Array(numbers.length), new Float64Array(numbers.length)];
  const gradient = new Float32Array(numbers.length);
  const rounds = Math.ceil((epochs * all.length) / batch);
  for (let round = 1; round <= rounds; round += 1) {
    gradient.fill(0);
    for (let at = 0; at < batch; at += 1) {
      const { features, isReadable } = pick(at % 2 === 0 ? readable : others, random);
      addGradient(net, { features: partOf(features, dims, random), isReadable }, gradient);
    }
    // Down to nothing at the end, so that the last lines do not decide.
    const rate = learningRate * (1 - (round - 1) / rounds);
    for (let at = 0; at < numbers.length; at += 1) {
      const number = numbers[at] ?? 0;
      const slope = (gradient[at] ?? 0) / batch + decay * number;
      const first = 0.9 * (mean[at] ?? 0) + 0.1 * slope;
      const second = 0.999 * (square[at] ?? 0) + 0.001 * slope * slope;
      mean[at] = first;
      square[at] = second;
      const step = first / (1 - 0.9 ** round) / (Math.sqrt(second / (1 - 0.999 ** round)) + 1e-8);
      numbers[at] = number - rate * step;
    }
  }
  return net;
}

/** Log odds of each step. */
export function logOddsOf(net: ScriptNet, features: Float32Array): Float32Array {
  return forwards(net, features).odds;
}

function startNet(dims: number, hidden: number, random: () => number): ScriptNet {
  const gaussian = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const numbers = new Float32Array(dims * hidden + 2 * hidden + 1);
  for (let at = 0; at < dims * hidden; at += 1) numbers[at] = gaussian() * Math.sqrt(2 / dims);
  const weights = dims * hidden + hidden;
  for (let at = 0; at < hidden; at += 1) numbers[weights + at] = gaussian() / Math.sqrt(hidden);
  return { dims, hidden, numbers };
}

function partOf(features: Float32Array, dims: number, random: () => number): Float32Array {
  const steps = features.length / dims;
  if (steps <= minSteps || random() >= partShare) return features;
  const count = minSteps + Math.floor(random() * (steps - minSteps + 1));
  const start = Math.floor(random() * (steps - count + 1));
  return features.subarray(start * dims, (start + count) * dims);
}

/** The hidden units [steps, hidden], and the log odds of each step. */
function forwards({ dims, hidden, numbers }: ScriptNet, features: Float32Array) {
  const steps = features.length / dims;
  const units = new Float32Array(steps * hidden);
  const odds = new Float32Array(steps).fill(numbers[numbers.length - 1] ?? 0);
  const biases = dims * hidden;
  for (let step = 0; step < steps; step += 1) {
    const row = units.subarray(step * hidden, (step + 1) * hidden);
    row.set(numbers.subarray(biases, biases + hidden));
    for (let dim = 0; dim < dims; dim += 1) {
      const feature = features[step * dims + dim] ?? 0;
      const at = dim * hidden;
      for (let unit = 0; unit < hidden; unit += 1)
        row[unit] = (row[unit] ?? 0) + feature * (numbers[at + unit] ?? 0);
    }
    let sum = odds[step] ?? 0;
    for (let unit = 0; unit < hidden; unit += 1) {
      const value = Math.max(0, row[unit] ?? 0);
      row[unit] = value;
      sum += value * (numbers[biases + hidden + unit] ?? 0);
    }
    odds[step] = sum;
  }
  return { units, odds, steps };
}

function addGradient(net: ScriptNet, { features, isReadable }: LabelledSteps, gradient: Float32Array): void {
  const { dims, hidden, numbers } = net;
  const { units, odds, steps } = forwards(net, features);
  const mean = odds.reduce((sum, value) => sum + value, 0) / steps;
  const slope = (1 / (1 + Math.exp(-mean)) - (isReadable ? 1 : 0)) / steps;
  const [biases, weights, last] = [dims * hidden, dims * hidden + hidden, numbers.length - 1];
  gradient[last] = (gradient[last] ?? 0) + slope * steps;
  const back = new Float32Array(hidden);
  for (let step = 0; step < steps; step += 1) {
    for (let unit = 0; unit < hidden; unit += 1) {
      const value = units[step * hidden + unit] ?? 0;
      gradient[weights + unit] = (gradient[weights + unit] ?? 0) + slope * value;
      back[unit] = value === 0 ? 0 : slope * (numbers[weights + unit] ?? 0);
      gradient[biases + unit] = (gradient[biases + unit] ?? 0) + (back[unit] ?? 0);
    }
    for (let dim = 0; dim < dims; dim += 1) {
      const feature = features[step * dims + dim] ?? 0;
      const at = dim * hidden;
      for (let unit = 0; unit < hidden; unit += 1)
        gradient[at + unit] = (gradient[at + unit] ?? 0) + (back[unit] ?? 0) * feature;
    }
  }
}
