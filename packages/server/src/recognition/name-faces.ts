import type { FaceQuality } from '@lynceus/engine';

/** The person that a face of general recognition was taken for. */
export interface FaceName {
  readonly name: string;
  readonly personId: number;
  readonly perceptionId: number;
  /** 0 to 1, calibrated by the perception. */
  readonly similarity: number;
}

/** Names faces, in their order; null for a stranger, and for one that cannot be told from others with certainty. */
export type NameFaces = (
  faces: readonly { readonly embedding: Float32Array; readonly quality: FaceQuality }[],
) => Promise<readonly (FaceName | null)[]>;

/**
 * How an account's faces are named; null when it has nothing to name them by, and faces need no embedding.
 * @param perceptionId this one alone, whether or not it names people in general recognition
 */
export type FaceNaming = (accountId: number, perceptionId?: number) => Promise<NameFaces | null>;
