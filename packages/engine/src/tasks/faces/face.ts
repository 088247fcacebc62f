import type { Box, Point } from '../../image/box.js';

/** The viewer's left eye, the right one, the tip of the nose, the left and right corners of the mouth. */
export type FivePoints = readonly [Point, Point, Point, Point, Point];

/** How well a face can be recognised, and its problems. */
export interface FaceQuality {
  /** Geometric mean of the box's sides in pixels of the original. */
  readonly sizePx: number;
  /** Variance of the Laplacian over the aligned face, 0 for none; it falls with the light as well. */
  readonly sharpness: number;
  /**
   * See `measureDirectionalSharpness`; below `qualityThresholds.minDirectionalSharpness` the face is blurred. Stored faces that were
   * examined by earlier programs have neither this nor `coverage`.
   */
  readonly directionalSharpness?: number;
  /** See `measureCoverage`; 0 or more, and above `qualityThresholds.maxCoverage` something covers the face. */
  readonly coverage?: number;
  /** See `measureDoubt`; 0 or more. Absent from faces that were examined before it was measured. */
  readonly doubt?: number;
  /**
   * Estimated from the five points, in degrees: positive where the face looks to the viewer's right, up, and is tilted
   * clockwise.
   */
  readonly yawDeg: number;
  readonly pitchDeg: number;
  readonly rollDeg: number;
  /** Mean luma of the aligned face, 0 to 255. */
  readonly brightness: number;
  /** Problems, the worst first; empty for a good face. */
  readonly problems: readonly FaceProblem[];
}

export type FaceProblem =
  | 'too-small'
  | 'landmarks-implausible'
  | 'covered'
  | 'blurred'
  | 'turned-away'
  | 'too-dark'
  | 'too-bright';

export interface Face {
  readonly box: Box;
  /** Of the detector, 0 to 1. */
  readonly score: number;
  readonly points: FivePoints;
  readonly quality: FaceQuality;
  /** Length 1; absent unless requested. Comparable with embeddings of the same model and version only. */
  readonly embedding?: Float32Array;
  /** Probability of a living person instead of a photograph of one, 0 to 1. Advisory. Absent unless requested. */
  readonly liveness?: number;
}

export interface FacesResult {
  /** The largest first. */
  readonly faces: readonly Face[];
  /** The model of the embeddings, null when none were requested. */
  readonly embedder: { readonly id: string; readonly version: string } | null;
}
