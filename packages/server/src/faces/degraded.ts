import type { FaceProblem, FaceQuality } from '@lynceus/engine';
import type { EnrolmentProblem } from './perception.js';

/**
 * Problems with which faces resemble each other, whoever they are: their similarity never reaches the decision point, and `/api` and
 * imports add an image with one only where that is asked for.
 */
export const degradingProblems: readonly FaceProblem[] = ['blurred', 'covered'];

/** Whether a face is too blurred or covered to be told from others. A face from before a check existed counts as clear to it. */
export function isDegraded({ problems }: Pick<FaceQuality, 'problems'>): boolean {
  return problems.some(isDegrading);
}

export function isDegrading(problem: EnrolmentProblem): boolean {
  return degradingProblems.some((degrading) => degrading === problem);
}
