import { seededRandom, shuffled } from '../seeded-random.js';
import type { LearningPoint } from './classifier-report.js';
import { fitHead, scoreImages, takeImages } from './fit-head.js';
import { groupByRarest } from './folds.js';
import type { Labelled } from './labelled.js';
import { measure } from './measure.js';

const shares = [0.25, 0.5, 0.75, 1];
const draws = 3;

/** Images to train on, and others to measure with, by index. */
export interface Split {
  readonly train: readonly number[];
  readonly test: readonly number[];
}

/** Balanced accuracy by how many of the images are trained on, each class losing the same share. */
export function learningCurve(
  images: Labelled,
  splits: readonly Split[],
  { lambda, seed }: { readonly lambda: number; readonly seed: number },
  onFit: (done: number, total: number) => void,
): LearningPoint[] {
  if (splits.length === 0) return [];
  const total = ((shares.length - 1) * draws + 1) * splits.length;
  let done = 0;
  return shares.map((share) => {
    const scores: number[] = [];
    let trained = 0;
    // All images can be drawn in only one way.
    const drawn = share === 1 ? 1 : draws;
    for (let draw = 0; draw < drawn; draw++) {
      const random = seededRandom(seed + draw);
      for (const { train, test } of splits) {
        const kept = thin(images, train, share, random);
        trained += kept.length;
        scores.push(scoreSplit(images, { train: kept, test }, lambda));
        onFit(++done, total);
      }
    }
    return { share, images: trained / scores.length, ...meanAndSpread(scores) };
  });
}

function thin({ shown }: Labelled, train: readonly number[], share: number, random: () => number): number[] {
  if (share === 1) return [...train];
  return groupByRarest(train.map((index) => shown[index] ?? [])).flatMap((group) =>
    shuffled(group, random)
      .slice(0, Math.max(1, Math.round(group.length * share)))
      .map((position) => train[position] ?? 0),
  );
}

function scoreSplit(images: Labelled, { train, test }: Split, lambda: number): number {
  const head = fitHead(takeImages(images, train), lambda);
  const tested = takeImages(images, test);
  // A logit above zero is a probability above one half; of classes the largest logit is the likeliest.
  const thresholds = head.bias.length > 0 ? Array.from(head.bias, () => 0) : [];
  const probabilities = scoreImages(head, tested.features);
  const { link, shown } = tested;
  return measure({ probabilities, shown, link, thresholds }, []).balancedAccuracy;
}

function meanAndSpread(scores: readonly number[]): { balancedAccuracy: number; spread: number } {
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const squares = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0);
  return { balancedAccuracy: mean, spread: Math.sqrt(squares / Math.max(1, scores.length - 1)) };
}
