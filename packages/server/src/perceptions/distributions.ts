import { type CosineCounts, cosineOfBin, totalOf } from './cosine-counts.js';
import type { PairCounts } from './fit-calibration.js';

/** Cosines of pairs as bars of equal width from `from` to `to`: shares of each kind, which add up to 1. */
export interface PairDistributions {
  readonly from: number;
  readonly to: number;
  readonly genuine: readonly number[];
  readonly impostor: readonly number[];
}

const bars = 60;

/** Over the cosines that there are: an embedder may use a small part of -1 to 1 only. */
export function drawDistributions({ genuine, impostor }: PairCounts): PairDistributions {
  const used = (_: unknown, bin: number) => (genuine.bins[bin] ?? 0) + (impostor.bins[bin] ?? 0) > 0;
  const [first, last] = [genuine.bins.findIndex(used), genuine.bins.findLastIndex(used)];
  const span = last - first + 1;
  const sharesOf = (counts: CosineCounts) => {
    const shares = new Array<number>(bars).fill(0);
    const total = totalOf(counts) || 1;
    for (let bin = first; bin <= last; bin += 1) {
      const bar = Math.floor(((bin - first) * bars) / span);
      shares[bar] = (shares[bar] ?? 0) + (counts.bins[bin] ?? 0) / total;
    }
    return shares;
  };
  return {
    from: cosineOfBin(first - 0.5),
    to: cosineOfBin(last + 0.5),
    genuine: sharesOf(genuine),
    impostor: sharesOf(impostor),
  };
}
