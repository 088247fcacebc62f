import type { FaceProblem } from '@lynceus/engine';

/** What can be wrong with an image that is to be added to a person. */
export type EnrolmentProblem =
  | FaceProblem
  | 'several-faces'
  | 'same-image'
  | 'nearly-the-same'
  | 'looks-like-another'
  | 'unlike-own-images';

export const enrolmentProblems: readonly EnrolmentProblem[] = [
  'too-small',
  'landmarks-implausible',
  'covered',
  'blurred',
  'turned-away',
  'too-dark',
  'too-bright',
  'several-faces',
  'same-image',
  'nearly-the-same',
  'looks-like-another',
  'unlike-own-images',
];

/** How a cosine becomes a similarity: 1 / (1 + exp(-slope (cosine - midpoint))). */
export interface Calibration {
  /** The cosine whose similarity is 0.5. */
  readonly midpoint: number;
  readonly slope: number;
}

export interface PerceptionSettings {
  readonly name: string;
  /** The similarity, 0 to 1, from which a face is taken for a person. */
  readonly decisionSimilarity: number;
  /** Whether a search tells living people from images of them. */
  readonly wantsLiveness: boolean;
  /** Whether general recognition names faces by it. */
  readonly namesRecognition: boolean;
  /** Images with one of these are not added. */
  readonly refusedProblems: readonly EnrolmentProblem[];
}

/** A collection of people whose faces are known. */
export interface Perception extends PerceptionSettings {
  readonly id: number;
  readonly uid: string;
  /** Of its own people; null for that of the embedder. */
  readonly calibration: Calibration | null;
  /** The embedder in use, with its version. */
  readonly embedder: string;
  readonly createdAt: number;
}
