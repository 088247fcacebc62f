import { createHash } from 'node:crypto';

/** Two halves of images, in the order of the hashes of their names: alike, and the same ones each time. */
export function halvesOf<T extends { readonly name: string }>(
  images: readonly T[],
): { readonly fitted: readonly T[]; readonly measured: readonly T[] } {
  const hashOf = ({ name }: T) => createHash('sha256').update(name).digest('hex');
  const sorted = images
    .map((image) => ({ image, hash: hashOf(image) }))
    .sort((a, b) => (a.hash < b.hash ? -1 : 1))
    .map(({ image }) => image);
  return {
    fitted: sorted.filter((_, index) => index % 2 === 0),
    measured: sorted.filter((_, index) => index % 2 === 1),
  };
}

/**
 * Expected calibration error in ten bins of equal width (Guo et al. 2017), 0 to 1: the mean distance of score and share of right
 * answers, weighted by the answers of each bin. Biased upwards where answers are few.
 */
export function calibrationError(
  answers: readonly { readonly score: number; readonly isRight: boolean }[],
): number {
  const bins = Array.from({ length: 10 }, () => ({ count: 0, score: 0, right: 0 }));
  for (const { score, isRight } of answers) {
    const bin = bins[Math.min(9, Math.floor(score * 10))];
    if (!bin) continue;
    bin.count += 1;
    bin.score += score;
    bin.right += isRight ? 1 : 0;
  }
  const distance = bins.reduce((sum, { score, right }) => sum + Math.abs(score - right), 0);
  return answers.length > 0 ? distance / answers.length : 0;
}
