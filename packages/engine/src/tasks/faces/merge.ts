import { boxArea, boxIou } from '../../image/box.js';
import type { Candidate } from './detect.js';
import { ovalBox } from './frame.js';

/** Two boxes that overlap by more than this (intersection over union) show one face. */
const maxIou = 0.4;
/** A box of which more than this lies in a larger one shows a part of that face. */
const maxInside = 0.75;

/** One candidate a face out of those of several views, best first: of two that show the same, the lesser is dropped. */
export function mergeCandidates<T extends Candidate>(candidates: readonly T[]): T[] {
  const kept: T[] = [];
  for (const candidate of [...candidates].sort((a, b) => b.score - a.score)) {
    if (!kept.some((better) => showSame(better, candidate))) kept.push(candidate);
  }
  return kept;
}

function showSame(better: Candidate, lesser: Candidate): boolean {
  const [a, b] = [ovalBox(better.frame), ovalBox(lesser.frame)];
  const iou = boxIou(a, b);
  const intersection = (iou * (boxArea(a) + boxArea(b))) / (1 + iou);
  return iou > maxIou || intersection > maxInside * Math.min(boxArea(a), boxArea(b));
}
