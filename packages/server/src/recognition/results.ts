import type { ClassScore, Detection, Face, TextLine } from '@lynceus/engine';
import type { FaceName } from './name-faces.js';
import type { RecognitionMode, RecognitionParts } from './parts.js';

/** Size in pixels of the image as it is meant to be seen; every box lies in it. */
export interface Recognised {
  readonly fileid: string;
  readonly width: number;
  readonly height: number;
}

/** What any recognition found; what it did not look for is absent. */
export interface Found {
  readonly objects?: readonly Detection[];
  readonly classes?: readonly ClassScore[];
  readonly texts?: readonly TextLine[];
  readonly faces?: readonly SeenFace[];
}

export interface ObjectsResult extends Recognised {
  /** Best first. */
  readonly objects: readonly Detection[];
}

export interface ClassesResult extends Recognised {
  /** Best first, at most ten. */
  readonly classes: readonly ClassScore[];
  /** Of a custom classifier that knows it: the probability that the image is like none of its training images. */
  readonly unlikeTraining?: number;
}

/** A face in an image, without what would make it known again. */
export type SeenFace = Pick<Face, 'box' | 'score' | 'points' | 'quality'> & {
  /** Absent where the account names no faces; null for a stranger. */
  readonly person?: FaceName | null;
};

export interface GeneralResult extends Recognised {
  readonly classes: readonly ClassScore[];
  /** Best first; `classes` are those of the object by itself, empty unless it was classified. */
  readonly objects: readonly (Detection & { readonly classes: readonly ClassScore[] })[];
  /** In reading order. */
  readonly texts: readonly TextLine[];
  /** The largest first. */
  readonly faces: readonly SeenFace[];
  readonly parts: RecognitionParts;
  /** What was done, which is less than was asked for when objects or classes were left out. */
  readonly mode: RecognitionMode;
}
