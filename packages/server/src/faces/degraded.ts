import type { FaceProblem, FaceQuality } from '@lynceus/engine';
import type { EnrolmentProblem } from './perception.js';

/**
 * Problems with which faces resemble each other, whoever they are; one whose landmarks are in doubt is aligned by chance. Their
 * similarity never reaches the decision point, and `/api` and imports add an image with one only where that is asked for.
 */
export const degradingProblems: readonly FaceProblem[] = ['blurred', 'covered', 'landmarks-implausible'];

/** Whether a face cannot be told from others with certainty. A face from before a check existed counts as clear to it. */
export function isDegraded({ problems }: Pick<FaceQuality, 'problems'>): boolean {
  return problems.some(isDegrading);
}

type Judged = Pick<FaceQuality, 'problems' | 'doubt'>;

/**
 * Whether the likeness of two faces says nothing of whose they are: one is degraded, or both are doubtful and no more alike than
 * strangers may be by what was done to both. A doubtful face beside a clear one is alike by the person alone.
 * @param cosine of their embeddings
 * @param doubtfulCosine of the embedder, see `ChainFigures`
 */
export function isPairDegraded(
  one: Judged,
  other: Judged,
  { cosine, doubtfulCosine }: { readonly cosine: number; readonly doubtfulCosine: number },
): boolean {
  if (isDegraded(one) || isDegraded(other)) return true;
  return isDoubtful(one) && isDoubtful(other) && cosine < doubtfulCosine;
}

/** See `measureDoubt` of the engine. A face from before it was measured counts as certain. */
function isDoubtful({ doubt = 0 }: Judged): boolean {
  return doubt >= 1;
}

export function isDegrading(problem: EnrolmentProblem): boolean {
  return degradingProblems.some((degrading) => degrading === problem);
}
