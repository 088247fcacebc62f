import type { Labelled } from './labelled.js';
import type { Matrix } from './matrix.js';

/** Fewer images of a label say too little of where its threshold should be. */
const leastImages = 5;

/** For each label the probability with the best F1 on cross-validated images, .1 to .9; .5 where they are too few. */
export function findThresholds(
  probabilities: Matrix,
  { shown, classes }: Pick<Labelled, 'shown' | 'classes'>,
): number[] {
  return Array.from({ length: classes }, (_, label) => {
    const scored = shown
      .map((labels, row) => ({
        score: probabilities.data[row * classes + label] ?? 0,
        isShown: labels.includes(label),
      }))
      .sort((a, b) => b.score - a.score);
    const positives = scored.filter(({ isShown }) => isShown).length;
    if (positives < leastImages) return 0.5;
    return Math.min(0.9, Math.max(0.1, bestCut(scored, positives)));
  });
}

/** In the middle between the last image above the threshold and the first one below. */
function bestCut(
  scored: readonly { readonly score: number; readonly isShown: boolean }[],
  positives: number,
): number {
  let hits = 0;
  let best = { f1: 0, cut: 0.5 };
  for (const [index, { score, isShown }] of scored.entries()) {
    if (isShown) hits += 1;
    const f1 = (2 * hits) / (index + 1 + positives);
    if (f1 > best.f1) best = { f1, cut: (score + (scored[index + 1]?.score ?? 0)) / 2 };
  }
  return best.cut;
}
