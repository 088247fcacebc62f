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

/** Chosen on labelled photographs by `npm run bench -- accuracy`; all settings near these are within the noise. */
const uncalibrated: Fusion = { minScore: 0.05, nmsIou: 0.6, minIou: 0.6, calibration: undefined };

/**
 * Fusions with a measured calibration, by the ids of their models in order. The middle point is the score with the
 * best F1, which is shown as 0.4.
 */
const fusions: Readonly<Record<string, Fusion>> = {
  'coco-ssd+centernet-coco': {
    ...uncalibrated,
    calibration: {
      version: 'coco-ssd+centernet-coco/1',
      points: [
        [0, 0],
        [0.175, 0.4],
        [1, 1],
      ],
    },
  },
};

export function fusionFor(modelIds: readonly string[]): Fusion {
  return fusions[modelIds.join('+')] ?? uncalibrated;
}
