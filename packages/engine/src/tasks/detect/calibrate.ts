import type { Calibration } from '../../catalog/manifest.js';

/** A model's own score to the one we show. */
export function calibrate(calibration: Calibration | undefined, score: number): number {
  return calibration ? interpolate(calibration.points, score, 0, 1) : score;
}

/** The own score that is shown as `score`: for handing a caller's threshold to a graph. */
export function uncalibrate(calibration: Calibration | undefined, score: number): number {
  return calibration ? interpolate(calibration.points, score, 1, 0) : score;
}

function interpolate(points: Calibration['points'], value: number, from: 0 | 1, to: 0 | 1): number {
  let lower = points[0];
  for (const upper of points) {
    if (lower && value <= upper[from]) {
      const span = upper[from] - lower[from];
      return span > 0 ? lower[to] + ((value - lower[from]) / span) * (upper[to] - lower[to]) : upper[to];
    }
    lower = upper;
  }
  return lower?.[to] ?? value;
}
