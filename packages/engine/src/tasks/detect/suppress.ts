import { boxIou } from '../../image/box.js';
import type { Candidate } from './fuse.js';

/**
 * Greedy non-maximum suppression within each class: of two boxes whose IoU exceeds `maxIou` the lesser is dropped.
 * Takes and gives the best first.
 */
export function suppressOverlaps(candidates: readonly Candidate[], maxIou: number): Candidate[] {
  const kept: Candidate[] = [];
  for (const candidate of candidates) {
    const hidden = kept.some(
      (better) => better.classIndex === candidate.classIndex && boxIou(better.box, candidate.box) > maxIou,
    );
    if (!hidden) kept.push(candidate);
  }
  return kept;
}
