import { boxArea, boxIou } from '../../image/box.js';
import type { Candidate } from './detect.js';
import type { FivePoints } from './face.js';
import { faceSize, ovalBox } from './frame.js';

/** Two boxes that overlap by more than this (intersection over union) show one face. */
const maxIou = 0.4;
/** A box with more than this share inside another one shows a part of that face. */
const maxInside = 0.75;
/** Five points nearer to those of another face than this, in multiples of the smaller face's size, belong to that face. */
const minApart = 0.25;

/**
 * One candidate per face from those of several views, best first: of two that show the same face, the one with the lower
 * score is dropped.
 */
export function mergeCandidates<T extends Candidate & { readonly points?: FivePoints }>(
  candidates: readonly T[],
  worthOf: (candidate: T) => number = ({ score }) => score,
): T[] {
  const kept: T[] = [];
  for (const candidate of [...candidates].sort((a, b) => worthOf(b) - worthOf(a))) {
    const known = kept.some((better) => boxesAgree(better, candidate) || pointsAgree(better, candidate));
    if (!known) kept.push(candidate);
  }
  return kept;
}

function boxesAgree(better: Candidate, lesser: Candidate): boolean {
  const [a, b] = [ovalBox(better.frame), ovalBox(lesser.frame)];
  const iou = boxIou(a, b);
  const intersection = (iou * (boxArea(a) + boxArea(b))) / (1 + iou);
  return iou > maxIou || intersection > maxInside * Math.min(boxArea(a), boxArea(b));
}

function pointsAgree(
  { points: better }: { readonly points?: FivePoints },
  { points: lesser, frame }: Candidate & { readonly points?: FivePoints },
): boolean {
  if (better === undefined || lesser === undefined) return false;
  const apart = better.map(({ x, y }, index) =>
    Math.hypot(x - (lesser[index]?.x ?? 0), y - (lesser[index]?.y ?? 0)),
  );
  const mean = apart.reduce((sum, distance) => sum + distance, 0) / apart.length;
  return mean < minApart * faceSize(frame);
}
