import type { Calibration } from '../../catalog/manifest.js';

/** How the boxes of several detectors are joined. */
export interface Fusion {
  /** Own score from which a model's box takes part. */
  readonly minScore: number;
  /** Suppression within each model before fusion. */
  readonly nmsIou: number;
  /** IoU above which boxes are taken for one object. */
  readonly minIou: number;
  readonly calibration: Calibration | undefined;
}

const uncalibrated: Fusion = { minScore: 0.05, nmsIou: 0.6, minIou: 0.55, calibration: undefined };

/** Fusions with a measured calibration, by the ids of their models in order. */
const fusions: Readonly<Record<string, Fusion>> = {};

export function fusionFor(modelIds: readonly string[]): Fusion {
  return fusions[modelIds.join('+')] ?? uncalibrated;
}
