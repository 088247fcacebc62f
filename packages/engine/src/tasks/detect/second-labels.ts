import { boxIou } from '../../image/box.js';
import type { Candidate } from './fuse.js';

/**
 * IoU above which boxes of two classes are taken for one object. The lowest that left riders and what they ride two objects on the half
 * `tune` of labelled photographs (`npm run bench -- accuracy`).
 */
const sameObjectIou = 0.75;

/**
 * One object has one label: the score of a box on which another class scores better is multiplied by the probability that the better
 * label is wrong, 1 less its score. Two labels of one object are then never both above 0.25, and the better one keeps its score. The
 * lesser stays far down in the ranking: to drop it cost up to .05 of AP50, since the better label is not always the right one.
 *
 * Scores are probabilities, so this comes after calibration. Each other class counts once, by its best box. Input and output have the best
 * first.
 */
export function weakenSecondLabels(candidates: readonly Candidate[]): Candidate[] {
  return candidates
    .map((candidate, index) => {
      const better = new Map<number, number>();
      for (const other of candidates.slice(0, index)) {
        if (other.classIndex === candidate.classIndex || better.has(other.classIndex)) continue;
        if (boxIou(other.box, candidate.box) > sameObjectIou) better.set(other.classIndex, other.score);
      }
      const isOwnLabel = [...better.values()].reduce((product, score) => product * (1 - score), 1);
      return { ...candidate, score: candidate.score * isOwnLabel };
    })
    .sort((a, b) => b.score - a.score);
}
