import { completelyLabelled, type Unseen } from './cross-validate.js';
import { cornersOverlap } from './overlap.js';
import type { Judged, JudgedScore } from './score-line.js';

const rightIou = 0.5;

/**
 * Whether detections in unseen images are correct, each labelled box matched once, best first. Shipped backgrounds, by their
 * weights, count as much as all images with boxes: half of a detector's input is assumed to show none of its labels.
 * Partly labelled images are judged only where no other one shows a box, and then by what matches their labels: scores have to be
 * calibrated all the same.
 */
export function judgeScores({ images: unseen, backgrounds }: Unseen): Judged {
  const complete = completelyLabelled(unseen);
  const isShown = complete.some(({ image }) => image.truths.length > 0);
  const images = isShown ? complete : unseen;
  const scores: JudgedScore[] = [];
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
      else if (image.image.isPartlyLabelled) continue;
      scores.push({ score, isRight, weight: 1 });
    }
  }
  const showing = images.filter(({ image }) => image.truths.length > 0).length;
  const total = backgrounds.reduce((sum, { weight }) => sum + weight, 0);
  for (const { highest, weight } of backgrounds)
    scores.push({ score: highest, isRight: false, weight: (weight * showing) / total });
  return { scores, truths: images.reduce((sum, { image }) => sum + image.truths.length, 0) };
}
