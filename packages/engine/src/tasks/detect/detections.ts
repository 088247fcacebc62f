import type { Label } from '../../catalog/manifest.js';
import type { Box } from '../../image/box.js';

export interface Detection {
  readonly label: Label;
  /** Calibrated so that 0.4 is the working point with the best F1 of every shipped detector. */
  readonly score: number;
  readonly box: Box;
}

export interface DetectResult {
  /** Best first. */
  readonly detections: readonly Detection[];
  /** Version of the calibration behind the scores; null when they are the model's own. */
  readonly calibration: string | null;
}
