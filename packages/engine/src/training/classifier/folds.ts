import { seededRandom, shuffled } from '../seeded-random.js';

/**
 * Distributes images over folds so that every class is spread evenly; an image with several labels counts by its
 * rarest. Returns each image's fold.
 */
export function stratifiedFolds(
  shown: readonly (readonly number[])[],
  folds: number,
  seed: number,
): Uint8Array {
  const random = seededRandom(seed);
  const dealt = new Uint8Array(shown.length);
  // Each class continues where the last one ended, so that small ones do not all get the first folds.
  let next = Math.floor(random() * folds);
  for (const group of groupByRarest(shown)) {
    for (const image of shuffled(group, random)) {
      dealt[image] = next;
      next = (next + 1) % folds;
    }
  }
  return dealt;
}

/** A sample of at most `count`, with each class's share. */
export function stratifiedSample(
  shown: readonly (readonly number[])[],
  count: number,
  seed: number,
): number[] {
  const random = seededRandom(seed);
  if (shown.length <= count) return shown.map((_, index) => index);
  const share = count / shown.length;
  return groupByRarest(shown)
    .flatMap((group) => shuffled(group, random).slice(0, Math.max(2, Math.round(group.length * share))))
    .sort((a, b) => a - b);
}

/** Indexes of the images by their rarest label. */
export function groupByRarest(shown: readonly (readonly number[])[]): number[][] {
  const counts = new Map<number, number>();
  for (const labels of shown) for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  const groups = new Map<number, number[]>();
  for (const [image, labels] of shown.entries()) {
    const rarest = [...labels].sort((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0) || a - b)[0] ?? -1;
    const group = groups.get(rarest) ?? [];
    group.push(image);
    groups.set(rarest, group);
  }
  return [...groups].sort(([a], [b]) => a - b).map(([, group]) => group);
}
