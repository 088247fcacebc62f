import { type FaceQuality, qualityThresholds } from '@lynceus/engine';

/** Pixels from which a larger face is recognised no better. */
const goodSizePx = 112;
/** Variance of the Laplacian of a face that is sharp. */
const goodSharpness = 120;
const perProblem = 0.5;

/** How much a look at a face says of whose it is, from 0 to 1. */
export function faceWeight({ sizePx, sharpness, yawDeg, pitchDeg, problems }: FaceQuality): number {
  const { maxYawDeg, maxPitchDeg } = qualityThresholds;
  const turned = Math.hypot(yawDeg / (2 * maxYawDeg), pitchDeg / (2 * maxPitchDeg));
  return (
    Math.min(1, sizePx / goodSizePx) ** 0.5 *
    Math.min(1, sharpness / goodSharpness) ** 0.5 *
    Math.max(0, 1 - turned) *
    perProblem ** problems.length
  );
}
