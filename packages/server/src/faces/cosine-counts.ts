const binWidth = 0.001;
const binCount = 2000;

/** How often pairs of faces had which cosine, in bins of .001 from -1 to 1: small however many pairs there were. */
export interface CosineCounts {
  readonly bins: Float64Array;
}

export function createCosineCounts(cosines: Iterable<number> = []): CosineCounts {
  const counts = { bins: new Float64Array(binCount) };
  for (const cosine of cosines) countCosine(counts, cosine);
  return counts;
}

export function countCosine({ bins }: CosineCounts, cosine: number): void {
  const bin = Math.min(binCount - 1, Math.max(0, Math.floor((cosine + 1) / binWidth)));
  bins[bin] = (bins[bin] ?? 0) + 1;
}

export function totalOf({ bins }: CosineCounts): number {
  return bins.reduce((sum, count) => sum + count, 0);
}

/** The middle of a bin. */
export function cosineOfBin(bin: number): number {
  return -1 + (bin + 0.5) * binWidth;
}

/** The share of pairs in this bin and above, by bin; one more than there are bins, the last being 0. */
export function sharesFromAbove(counts: CosineCounts): Float64Array {
  const shares = new Float64Array(binCount + 1);
  const total = totalOf(counts) || 1;
  for (let bin = binCount - 1; bin >= 0; bin -= 1) {
    shares[bin] = (shares[bin + 1] ?? 0) + (counts.bins[bin] ?? 0) / total;
  }
  return shares;
}

/** The share of pairs at this cosine and above, to the bin. */
export function shareFrom(counts: CosineCounts, cosine: number): number {
  const bin = Math.round((Math.min(1, Math.max(-1, cosine)) + 1) / binWidth);
  return sharesFromAbove(counts)[bin] ?? 0;
}
