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

export function isDegrading(problem: EnrolmentProblem): boolean {
  return degradingProblems.some((degrading) => degrading === problem);
}
