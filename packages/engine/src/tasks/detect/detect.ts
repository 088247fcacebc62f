import type { Label, ModelRef } from '../../catalog/manifest.js';
import type { Box } from '../../image/box.js';
import type { Task } from '../task.js';

export interface DetectOptions {
  /** One model answers by itself; several are joined by weighted boxes fusion. */
  readonly models: readonly ModelRef[];
  /** Calibrated score, 0 to 1, from which a detection is answered. */
  readonly minScore: number;
  /** Intersection over union, 0 to 1, above which the lesser of two boxes of one class is dropped. */
  readonly nmsIou: number;
}

export interface Detection {
  readonly label: Label;
  /** Calibrated so that 0.4 is the good working point (best F1) of every detector of ours. */
  readonly score: number;
  readonly box: Box;
}

export interface DetectResult {
  /** Best first. */
  readonly detections: readonly Detection[];
  /** Version of the calibration behind the scores; null when they are the model's own. */
  readonly calibration: string | null;
}

export const detect: Task<'detect', DetectOptions, DetectResult> = {
  name: 'detect',
  detailPx: () => 0,
  run: async () => ({ detections: [], calibration: null }),
};
