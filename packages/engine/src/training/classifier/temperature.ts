import { logSumExp, softplus } from './head-loss.js';
import { balancedWeights, type Labelled, smoothedTargets } from './labelled.js';
import type { Matrix } from './matrix.js';

const range = { least: Math.log(0.05), most: Math.log(20) };
const ratio = (Math.sqrt(5) - 1) / 2;

/** Mean cross-entropy in nats with smoothed targets, every class counting the same. */
export function meanLoss(logits: Matrix, images: Omit<Labelled, 'features'>, temperature = 1): number {
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
 * The number that logits are divided by so that probabilities mean what they say (Guo et al., ICML 2017), found by golden
 * section on cross-validated logits; .05 to 20.
 */
export function findTemperature(logits: Matrix, images: Omit<Labelled, 'features'>): number {
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
