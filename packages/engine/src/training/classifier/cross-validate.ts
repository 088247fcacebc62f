import {
  type Head,
  type PreparedFeatures,
  prepareFeatures,
  problemOf,
  scoreImages,
  solve,
} from './fit-head.js';
import { groupByRarest, stratifiedFolds } from './folds.js';
import { logSumExp, softplus } from './head-loss.js';
import { balancedWeights, type Labelled, smoothedTargets } from './labelled.js';
import { type Matrix, takeRows } from './matrix.js';

const range = { least: Math.log(0.05), most: Math.log(20) };

const ratio = (Math.sqrt(5) - 1) / 2;

/** From strong to weak; each fit starts from the result of the previous one. */
export const lambdas = [3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5] as const;

/** Where lambdas have nearly equal losses, their order is random: then the nearest to a generally good one is used. */
const slack = 0.02;
const usual = 1e-3;
const distance = (lambda: number) => Math.abs(Math.log(lambda / usual));

export interface CrossValidation {
  readonly lambda: number;
  readonly temperature: number;
  /** Cross-validated logits of every image, of the first round. */
  readonly logits: Matrix<Float64Array>;
  /** Every lambda with the mean loss in nats at its own temperature. */
  readonly tried: readonly { readonly lambda: number; readonly loss: number }[];
  readonly folds: number;
  readonly rounds: number;
}

/** The possible number of folds: each training set keeps at least one image of every class that has two. */
export function foldsFor(images: Pick<Labelled, 'shown'>): number {
  const sizes = groupByRarest(images.shown).map((group) => group.length);
  const least = Math.min(...sizes.filter((size) => size > 1), 5);
  return Math.max(2, least);
}

/**
 * Chooses the weight decay and the temperature by stratified cross-validation. Losses are compared at the best
 * temperature of each, since decay also changes a head's confidence, which is corrected afterwards.
 * @param onFit Called after every fit, with the number of fits.
 */
export function crossValidate(
  images: Labelled,
  seed: number,
  onFit: (done: number, total: number) => void,
  prepared: PreparedFeatures = prepareFeatures(images.features),
): CrossValidation {
  const folds = foldsFor(images);
  // With few images a single split depends more on the split than on the lambda.
  const rounds = images.shown.length < 150 ? 3 : 1;
  const total = rounds * folds * lambdas.length;
  const features = prepared.reduced.rows;
  const byLambda = lambdas.map(() => Array.from({ length: rounds }, () => emptyLogits(images)));
  let done = 0;
  for (let round = 0; round < rounds; round++) {
    const fold = stratifiedFolds(images.shown, folds, seed + round);
    for (let held = 0; held < folds; held++) {
      const indexes = images.shown.map((_, index) => index);
      const train = indexes.filter((index) => fold[index] !== held);
      const test = indexes.filter((index) => fold[index] === held);
      const seen = { ...images, shown: train.map((index) => images.shown[index] ?? []) };
      const seenRows = takeRows(features, train);
      let head: Head | undefined;
      for (const [lambdaIndex, lambda] of lambdas.entries()) {
        head = solve(problemOf(seen, seenRows, lambda), head);
        scoreInto(byLambda[lambdaIndex]?.[round], head, features, test);
        onFit(Math.min(++done, total - 1), total);
      }
    }
  }
  const tried = lambdas.map((lambda, lambdaIndex) => {
    const losses = (byLambda[lambdaIndex] ?? []).map((logits) =>
      meanLoss(logits, images, findTemperature(logits, images)),
    );
    return { lambda, loss: losses.reduce((sum, loss) => sum + loss, 0) / rounds };
  });
  const least = Math.min(...tried.map(({ loss }) => loss));
  const equals = tried.filter(({ loss }) => loss <= least * (1 + slack));
  const best = equals.reduce((a, b) => (distance(b.lambda) < distance(a.lambda) ? b : a));
  const logits = byLambda[lambdas.indexOf(best.lambda)]?.[0] ?? emptyLogits(images);
  return {
    lambda: best.lambda,
    temperature: findTemperature(logits, images),
    logits,
    tried,
    folds,
    rounds,
  };
}

function emptyLogits({ shown, classes }: Labelled): Matrix<Float64Array> {
  return { data: new Float64Array(shown.length * classes), rows: shown.length, columns: classes };
}

function scoreInto(
  logits: Matrix<Float64Array> | undefined,
  head: Head,
  features: Matrix,
  indexes: readonly number[],
): void {
  const scored = scoreImages(head, takeRows(features, indexes));
  for (const [row, index] of indexes.entries()) {
    const { columns } = scored;
    logits?.data.set(scored.data.subarray(row * columns, (row + 1) * columns), index * columns);
  }
}

/** Mean cross-entropy in nats with smoothed targets, every class counting the same. */
function meanLoss(logits: Matrix, images: Omit<Labelled, 'features'>, temperature = 1): number {
  const { classes, link } = images;
  const targets = smoothedTargets(images).data;
  const weights = balancedWeights(images).data;
  let sum = 0;
  for (let row = 0; row < logits.rows; row++) {
    const scaled = Array.from(
      logits.data.subarray(row * classes, (row + 1) * classes),
      (logit) => logit / temperature,
    );
    const logSum = link === 'softmax' ? logSumExp(scaled) : 0;
    for (const [c, logit] of scaled.entries()) {
      const target = targets[row * classes + c] ?? 0;
      const loss = link === 'softmax' ? target * (logSum - logit) : softplus(logit) - target * logit;
      sum += (weights[row * classes + c] ?? 0) * loss;
    }
  }
  return sum;
}

/**
 * The temperature that calibrates the probabilities (Guo et al., ICML 2017), found by golden
 * section on cross-validated logits; .05 to 20.
 */
function findTemperature(logits: Matrix, images: Omit<Labelled, 'features'>): number {
  const lossAt = (log: number) => meanLoss(logits, images, Math.exp(log));
  let { least, most } = range;
  let low = most - ratio * (most - least);
  let high = least + ratio * (most - least);
  let [lossLow, lossHigh] = [lossAt(low), lossAt(high)];
  while (most - least > 0.01) {
    if (lossLow <= lossHigh) {
      [most, high, lossHigh] = [high, low, lossLow];
      low = most - ratio * (most - least);
      lossLow = lossAt(low);
    } else {
      [least, low, lossLow] = [low, high, lossHigh];
      high = least + ratio * (most - least);
      lossHigh = lossAt(high);
    }
  }
  return Math.exp((least + most) / 2);
}
