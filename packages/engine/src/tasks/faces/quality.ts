import { alignedFace } from './aligned-face.js';
import { measureCoverage } from './coverage.js';
import { measureDetailSpread } from './detail.js';
import { measureDirectionalSharpness } from './directional-sharpness.js';
import { measureDoubt, type Signs } from './doubt.js';
import type { FaceProblem, FaceQuality, FivePoints } from './face.js';
import { type Frame, faceSize } from './frame.js';
import { estimatePose } from './pose.js';

/**
 * Thresholds beyond which a face is harder to recognise. Size, sharpness and brightness: measured on 30 photographs of
 * people made worse; angles: where recognition of turned faces is known to fall off, not measured here.
 */
export const qualityThresholds = {
  /** Pixels of the original: at 40 px every face is recognised, at 28 px on harder pairs seven in ten. */
  minSizePx: 32,
  /** See `measureDirectionalSharpness`: strangers who are blurred alike and are below are taken for each other. */
  minDirectionalSharpness: 0.06,
  /** See `measureCoverage`. */
  maxCoverage: 1,
  /** Degrees. */
  maxYawDeg: 45,
  maxPitchDeg: 35,
  /** Mean luma, 0 to 255: 95 to 190 as photographed, 50 to 99 with a quarter of the light, which is still recognised. */
  minBrightness: 50,
  maxBrightness: 220,
  /** Mean distance of two looks at the five points, as a fraction of the size of the face. */
  maxLandmarkDisagreement: 0.08,
} as const;

interface LocatedFace extends Signs {
  /** In pixels of the original. */
  readonly frame: Frame;
  readonly points: FivePoints;
}

/**
 * @param aligned pixels of the face as `takeAlignedFaces` gives them
 */
export function judgeQuality(face: LocatedFace, aligned: Uint8Array): FaceQuality {
  const { frame, points, landmarkDisagreement } = face;
  const luma = lumaOf(aligned);
  const measures = {
    sizePx: faceSize(frame),
    sharpness: laplacianVariance(luma),
    directionalSharpness: measureDirectionalSharpness(luma),
    coverage: measureCoverage(aligned),
    doubt: measureDoubt(face, measureDetailSpread(luma)),
    ...estimatePose(points),
    brightness: luma.reduce((sum, value) => sum + value, 0) / luma.length,
  };
  return { ...measures, problems: problemsOf(measures, landmarkDisagreement) };
}

function problemsOf(
  quality: Required<Omit<FaceQuality, 'problems'>>,
  landmarkDisagreement: number,
): FaceProblem[] {
  const { minSizePx, maxYawDeg, maxPitchDeg, minBrightness, maxBrightness } = qualityThresholds;
  const { sizePx, directionalSharpness, coverage, yawDeg, pitchDeg, brightness } = quality;
  const problems: [FaceProblem, boolean][] = [
    ['too-small', sizePx < minSizePx],
    ['landmarks-implausible', landmarkDisagreement > qualityThresholds.maxLandmarkDisagreement],
    ['covered', coverage > qualityThresholds.maxCoverage],
    ['turned-away', Math.abs(yawDeg) > maxYawDeg || Math.abs(pitchDeg) > maxPitchDeg],
    ['blurred', directionalSharpness < qualityThresholds.minDirectionalSharpness],
    ['too-dark', brightness < minBrightness],
    ['too-bright', brightness > maxBrightness],
  ];
  return problems.filter(([, applies]) => applies).map(([problem]) => problem);
}

/** ITU-R BT.601. */
export function lumaOf(rgb: Uint8Array): Float32Array {
  const luma = new Float32Array(rgb.length / 3);
  for (let pixel = 0, at = 0; pixel < luma.length; pixel++, at += 3) {
    luma[pixel] = 0.299 * (rgb[at] ?? 0) + 0.587 * (rgb[at + 1] ?? 0) + 0.114 * (rgb[at + 2] ?? 0);
  }
  return luma;
}

/**
 * Variance of the response to the four-neighbour Laplacian, a common measure of focus (Pech-Pacheco et al., 2000). Here
 * and not in the image library: over a square this small it takes a tenth of a millisecond, a pipeline of its own more.
 */
function laplacianVariance(luma: Float32Array): number {
  const { side } = alignedFace;
  let [sum, squares, count] = [0, 0, 0];
  for (let y = 1; y < side - 1; y++) {
    for (let at = y * side + 1; at < (y + 1) * side - 1; at++) {
      const around =
        (luma[at - 1] ?? 0) + (luma[at + 1] ?? 0) + (luma[at - side] ?? 0) + (luma[at + side] ?? 0);
      const response = around - 4 * (luma[at] ?? 0);
      sum += response;
      squares += response * response;
      count++;
    }
  }
  return squares / count - (sum / count) ** 2;
}
