import type { FaceMatches, JudgedFace } from '@lynceus/client';
import type { PictureSource } from '../enrolment/enrolment-list.js';

/** A face with the picture that it was found in. */
export interface SearchedFace {
  readonly face: JudgedFace;
  readonly matches: FaceMatches;
  readonly source: PictureSource;
}
