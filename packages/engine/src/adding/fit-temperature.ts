import type { Measured } from '../catalog/entry.js';
import { atTemperature } from '../tasks/classify/temperature.js';
import { wilsonInterval } from '../training/classifier/measure.js';
import { calibrationError, halvesOf } from './halves.js';

/** A classifier's answer to a labelled image. */
export interface LabelledProbabilities {
  /** Tells the half; the path, say. */
  readonly name: string;
  /** Of all classes, in the order of the model's labels; their sum is 1. */
  readonly probabilities: readonly number[];
  /** Index of the class that the image shows. */
  readonly truth: number;
}

/** Below this a probability counts as this: its logarithm has no bound. */
const least = 1e-12;
const [coldest, hottest] = [0.2, 5];
/** Share of right answers below which a model was given wrong input or wrong titles. */
const leastRight = 0.1;

/**
 * Fits the temperature of a classifier (Guo et al. 2017) to labelled images: probabilities p become p^(1/T), divided by their sum.
 * Figures are of a temperature that was fitted to one half of the images and measured on the other; the answered one is fitted to all.
 * @throws RangeError where the classes do not exclude each other, so that their probabilities do not sum to 1, and where the answers
 * are nearly all wrong.
 */
export function fitTemperature(images: readonly LabelledProbabilities[]): {
  readonly temperature: number;
  readonly measured: readonly Measured[];
} {
  const sums = images.map(({ probabilities }) => probabilities.reduce((sum, each) => sum + each, 0));
  if (sums.some((sum) => Math.abs(sum - 1) > 0.02)) {
    throw new RangeError(
      'the probabilities of its classes do not sum to 1, and only such classifiers are calibrated',
    );
  }
  const right = images.filter(({ probabilities, truth }) => bestOf(probabilities) === truth).length;
  const { low, high } = wilsonInterval(right, images.length);
  if (high < leastRight) {
    throw new RangeError(
      `its first class is right in ${right} of ${images.length} images: its input is probably scaled otherwise than its training had it, or the titles of its classes are in another order`,
    );
  }
  const { fitted, measured } = halvesOf(images);
  const how = `on ${measured.length} of ${images.length} images of the operator, which the temperature of this figure was not fitted to`;
  const errors = [temperatureOf(fitted), 1].map((each) =>
    calibrationError(measured.map((image) => answerOf(image, each))).toFixed(3),
  );
  return {
    temperature: Number(temperatureOf(images).toFixed(3)),
    measured: [
      {
        figure: 'first class is right',
        value: `${(right / images.length).toFixed(3)} (95 % interval ${low.toFixed(3)} to ${high.toFixed(3)})`,
        how: `on all ${images.length} images of the operator`,
      },
      {
        figure: 'expected calibration error of the first class',
        value: errors.join(', before calibration '),
        how,
      },
    ],
  };
}

/** By golden-section search of the least mean of -log p, which is unimodal in 1/T. */
function temperatureOf(images: readonly LabelledProbabilities[]): number {
  const loss = (temperature: number) =>
    images.reduce(
      (sum, { probabilities, truth }) =>
        sum - Math.log(Math.max(atTemperature(probabilities, temperature)[truth] ?? 0, least)),
      0,
    );
  const ratio = (Math.sqrt(5) - 1) / 2;
  let [low, high] = [Math.log(coldest), Math.log(hottest)];
  while (high - low > 1e-3) {
    const [left, right] = [high - ratio * (high - low), low + ratio * (high - low)];
    if (loss(Math.exp(left)) < loss(Math.exp(right))) high = right;
    else low = left;
  }
  return Math.exp((low + high) / 2);
}

function answerOf({ probabilities, truth }: LabelledProbabilities, temperature: number) {
  const warm = atTemperature(probabilities, temperature);
  const best = bestOf(warm);
  return { score: warm[best] ?? 0, isRight: best === truth };
}

function bestOf(probabilities: ArrayLike<number>): number {
  let best = 0;
  for (let index = 1; index < probabilities.length; index++) {
    if ((probabilities[index] ?? 0) > (probabilities[best] ?? 0)) best = index;
  }
  return best;
}
