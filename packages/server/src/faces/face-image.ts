import type { Box, FaceQuality, FivePoints, ImageKind } from '@lynceus/engine';

/** The face of an added image; in pixels of the image as it is meant to be seen. */
export interface EnrolledFace {
  readonly width: number;
  readonly height: number;
  readonly box: Box;
  readonly score: number;
  readonly points: FivePoints;
  readonly quality: FaceQuality;
}

/** Without the vector, which is kept apart. */
export function toEnrolledFace(
  { width, height }: Pick<EnrolledFace, 'width' | 'height'>,
  { box, score, points, quality }: Omit<EnrolledFace, 'width' | 'height'>,
): EnrolledFace {
  return { width, height, box, score, points, quality };
}

/** An image of a person's face, kept. */
export interface FaceImage {
  readonly id: number;
  readonly perceptionId: number;
  readonly personId: number;
  /** By which it was added; null for one added by person id. */
  readonly keyId: string | null;
  readonly imageKind: ImageKind;
  readonly imageBytes: number;
  readonly face: EnrolledFace;
  readonly createdAt: number;
}

/** An image that is about to be added; its image is kept already. */
export interface NewFaceImage {
  readonly keyId: string | null;
  readonly blobId: string;
  readonly imageKind: ImageKind;
  readonly imageBytes: number;
  /** Hexadecimal, of the image as it came. */
  readonly imageSha256: string;
  readonly face: EnrolledFace;
  readonly embedder: string;
  readonly vector: Float32Array;
  /** Whether the unit fails as `constraint` where the perception has the very same image already. */
  readonly isOnce?: boolean;
  /** Of an image that was added elsewhere before; now, unless given. */
  readonly createdAt?: number;
}
