import { addRow, dotRows, type Matrix } from './matrix.js';
import type { Objective } from './minimise.js';

/** `softmax`: one class an image. `sigmoid`: a yes or no for every label. */
export type Link = 'softmax' | 'sigmoid';

export interface HeadProblem {
  readonly features: Matrix;
  /** 1 where the image shows the class; a row an image. */
  readonly targets: Matrix;
  /** Weight of each pair of image and class; they sum to about 1 per class. */
  readonly weights: Matrix;
  readonly link: Link;
  /** Weight decay: lambda / 2 times the squared length of the weights is added. The bias is free. */
  readonly lambda: number;
}

/** Cross-entropy and decay as a function of the head's numbers: classes x columns weights, then a bias a class. */
export function headLoss({ features, targets, weights, link, lambda }: HeadProblem): Objective {
  const classes = targets.columns;
  const { rows, columns } = features;
  const biasAt = classes * columns;
  const logits = new Float64Array(classes);
  return (at, gradient) => {
    const head: Matrix = { data: at, rows: classes, columns };
    const slope: Matrix = { data: gradient, rows: classes, columns };
    let loss = 0;
    for (let i = 0; i < biasAt; i++) {
      const weight = at[i] ?? 0;
      loss += (lambda / 2) * weight * weight;
      gradient[i] = lambda * weight;
    }
    gradient.fill(0, biasAt);
    for (let row = 0; row < rows; row++) {
      for (let c = 0; c < classes; c++) logits[c] = dotRows(features, row, head, c) + (at[biasAt + c] ?? 0);
      const logSum = link === 'softmax' ? logSumExp(logits) : 0;
      for (let c = 0; c < classes; c++) {
        const logit = logits[c] ?? 0;
        const target = targets.data[row * classes + c] ?? 0;
        const weight = weights.data[row * classes + c] ?? 0;
        if (weight === 0) continue;
        const probability = link === 'softmax' ? Math.exp(logit - logSum) : sigmoid(logit);
        loss += weight * (link === 'softmax' ? target * (logSum - logit) : softplus(logit) - target * logit);
        const error = weight * (probability - target);
        addRow(slope, c, error, features, row);
        gradient[biasAt + c] = (gradient[biasAt + c] ?? 0) + error;
      }
    }
    return loss;
  };
}

export function logSumExp(numbers: ArrayLike<number>): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < numbers.length; i++) most = Math.max(most, numbers[i] ?? most);
  let sum = 0;
  for (let i = 0; i < numbers.length; i++) sum += Math.exp((numbers[i] ?? most) - most);
  return most + Math.log(sum);
}

export function sigmoid(logit: number): number {
  return logit >= 0 ? 1 / (1 + Math.exp(-logit)) : Math.exp(logit) / (1 + Math.exp(logit));
}

/** log(1 + exp(x)) without overflow. */
export function softplus(x: number): number {
  return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
}
