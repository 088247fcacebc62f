import { type CosineCounts, cosineOfBin, sharesFromAbove, totalOf } from './cosine-counts.js';

/** Cosines of pairs of one person's images, and of two people's. */
export interface PairCounts {
  readonly genuine: CosineCounts;
  readonly impostor: CosineCounts;
}

const maxSlope = 500;

/**
 * The slope of the logistic curve through one half at `midpoint` under which the pairs are likeliest, both kinds
 * counting alike however many there are of each. The targets are a little off 0 and 1, so that kinds which do not
 * overlap give a finite slope (Platt, Probabilistic outputs for support vector machines, 1999). 0 where the kinds are
 * not distinguished.
 */
export function fitSlope({ genuine, impostor }: PairCounts, midpoint: number): number {
  const [genuinePairs, impostorPairs] = [totalOf(genuine), totalOf(impostor)];
  const sides = [
    { ...genuine, pairs: genuinePairs, target: (genuinePairs + 1) / (genuinePairs + 2) },
    { ...impostor, pairs: impostorPairs, target: 1 / (impostorPairs + 2) },
  ];
  /** Of the logarithm of the likelihood; it falls as the slope grows. */
  const derivative = (slope: number) =>
    sides.reduce((sum, { bins, pairs, target }) => {
      const ofSide = bins.reduce((part, count, bin) => {
        if (count === 0) return part;
        const distance = cosineOfBin(bin) - midpoint;
        return part + count * distance * (target - 1 / (1 + Math.exp(-slope * distance)));
      }, 0);
      return sum + ofSide / pairs;
    }, 0);
  let [low, high] = [0, maxSlope];
  if (derivative(low) <= 0) return 0;
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    if (derivative(middle) > 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * Where two people's pairs are taken for one person's as often as one person's are missed, or the middle between them
 * where they do not overlap; but not below the cosine that more than `maxFalseMatchRate` of two people's pairs reach.
 */
export function chooseMidpoint({ genuine, impostor }: PairCounts, maxFalseMatchRate: number): number {
  const [accepted, falselyAccepted] = [sharesFromAbove(genuine), sharesFromAbove(impostor)];
  // Sums of shares end a little off 0 and 1.
  const tolerance = 1e-9;
  const excess = (bin: number) => 1 - (accepted[bin] ?? 0) - (falselyAccepted[bin] ?? 0);
  const from = accepted.findIndex((_, bin) => excess(bin) >= -tolerance);
  let to = from;
  while (to + 1 < accepted.length && excess(to + 1) <= tolerance) to += 1;
  const least = falselyAccepted.findIndex((rate) => rate <= maxFalseMatchRate + tolerance);
  return edgeOf(Math.max((from + to) / 2, least));
}

function edgeOf(bin: number): number {
  return cosineOfBin(bin - 0.5);
}
