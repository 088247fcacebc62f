import type { FaceMatches, JudgedFace } from '@lynceus/client';
import type { ImageSource } from '../enrolment/enrolment-list.js';

/** A face with the image that it was found in. */
export interface SearchedFace {
  readonly face: JudgedFace;
  readonly matches: FaceMatches;
  readonly source: ImageSource;
}
