import type { Link } from './head-loss.js';
import type { Matrix } from './matrix.js';

/** Input of a head. */
export interface Labelled {
  /** A row an image. */
  readonly features: Matrix<Float32Array>;
  /** Classes each image shows: one with `softmax`, any number with `sigmoid`. */
  readonly shown: readonly (readonly number[])[];
  readonly classes: number;
  readonly link: Link;
}

/** 1 where an image shows a class. */
export function targetsOf({ shown, classes }: Pick<Labelled, 'shown' | 'classes'>): Matrix<Float32Array> {
  const data = new Float32Array(shown.length * classes);
  for (const [row, labels] of shown.entries()) for (const label of labels) data[row * classes + label] = 1;
  return { data, rows: shown.length, columns: classes };
}

/**
 * Every class has the same weight, however many images it has; with `sigmoid`, the images with a label have the same weight
 * as those without it.
 */
export function balancedWeights({ shown, classes, link }: Omit<Labelled, 'features'>): Matrix<Float32Array> {
  const counts = countShown(shown, classes);
  const images = shown.length;
  const present = counts.filter((count) => count > 0).length;
  const data = new Float32Array(images * classes);
  for (const [row, labels] of shown.entries()) {
    for (let c = 0; c < classes; c++) {
      const positives = counts[c] ?? 0;
      if (link === 'softmax') {
        // The whole row has the weight of the image's class.
        data[row * classes + c] = 1 / (present * Math.max(1, counts[labels[0] ?? 0] ?? 0));
      } else if (positives > 0) {
        const alike = labels.includes(c) ? positives : images - positives;
        data[row * classes + c] = 0.5 / Math.max(1, alike);
      }
    }
  }
  return { data, rows: images, columns: classes };
}

/**
 * Smoothed targets for the uncertainty of few images: for a class of n images (n + 1) / (n + 2) instead of 1
 * (Platt, Probabilistic outputs for support vector machines, 1999). A row of `softmax` still sums to 1.
 */
export function smoothedTargets({ shown, classes, link }: Omit<Labelled, 'features'>): Matrix<Float32Array> {
  const counts = countShown(shown, classes);
  const targets = targetsOf({ shown, classes });
  for (const [row, labels] of shown.entries()) {
    const own = counts[labels[0] ?? 0] ?? 0;
    for (let c = 0; c < classes; c++) {
      const at = row * classes + c;
      const isShown = targets.data[at] === 1;
      const positives = counts[c] ?? 0;
      const alike = link === 'softmax' ? own : isShown ? positives : shown.length - positives;
      const doubt = 1 / (alike + 2);
      const spread = link === 'softmax' ? doubt / Math.max(1, classes - 1) : doubt;
      targets.data[at] = isShown ? 1 - doubt : spread;
    }
  }
  return targets;
}

export function countShown(shown: readonly (readonly number[])[], classes: number): number[] {
  const counts = new Array<number>(classes).fill(0);
  for (const labels of shown) for (const label of labels) counts[label] = (counts[label] ?? 0) + 1;
  return counts;
}
