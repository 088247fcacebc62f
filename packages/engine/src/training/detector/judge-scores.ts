import type { Unseen } from './cross-validate.js';
import { cornersOverlap } from './overlap.js';
import type { JudgedScore } from './score-line.js';

const rightIou = 0.5;

/**
 * Whether detections in unseen images are correct, each labelled box matched once, best first. Shipped backgrounds, by their
 * weights, count as much as all images with boxes: half of a detector's input is assumed to show none of its labels.
 */
export function judgeScores({ images, backgrounds }: Unseen): JudgedScore[] {
  const judged: JudgedScore[] = [];
  for (const { image, found } of images) {
    const taken = new Set<number>();
    for (const { label, score, corners } of found) {
      let best = -1;
      let most = 0;
      image.truths.forEach((truth, index) => {
        const shared = cornersOverlap(corners, truth.corners);
        if (truth.label === label && !taken.has(index) && shared > most) [best, most] = [index, shared];
      });
      const isRight = most >= rightIou;
      if (isRight) taken.add(best);
      judged.push({ score, isRight, weight: 1 });
    }
  }
  const showing = images.filter(({ image }) => image.truths.length > 0).length;
  const total = backgrounds.reduce((sum, { weight }) => sum + weight, 0);
  for (const { highest, weight } of backgrounds)
    judged.push({ score: highest, isRight: false, weight: (weight * showing) / total });
  return judged;
}
