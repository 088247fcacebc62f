/** A face with an embedding of length 1; null where none was found. */
export interface Probe {
  readonly person: string;
  readonly embedding: Float32Array | null;
}

/** Cosines of all pairs of photographs; a pair without a face on both sides counts with `missed`. */
export interface PairScores {
  readonly genuine: readonly number[];
  readonly impostor: readonly number[];
}

/** Below every cosine: a face that is not found is not recognised. */
export const missed = -2;

/** Every two different photographs of one list. */
export function scorePairs(probes: readonly Probe[]): PairScores {
  return collect(probes, probes, (a, b) => a < b);
}

/** Every photograph of one list with every other photograph of another list in the same order. */
export function scoreAgainst(probes: readonly Probe[], gallery: readonly Probe[]): PairScores {
  return collect(probes, gallery, (a, b) => a !== b);
}

function collect(
  probes: readonly Probe[],
  gallery: readonly Probe[],
  counts: (probe: number, other: number) => boolean,
): PairScores {
  const [genuine, impostor]: [number[], number[]] = [[], []];
  for (const [a, probe] of probes.entries()) {
    for (const [b, other] of gallery.entries()) {
      if (!counts(a, b)) continue;
      (probe.person === other.person ? genuine : impostor).push(cosine(probe.embedding, other.embedding));
    }
  }
  return { genuine, impostor };
}

function cosine(a: Float32Array | null, b: Float32Array | null): number {
  return a && b ? a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0) : missed;
}

/** The least threshold that accepts at most this share of the impostor pairs. */
export function thresholdAt(far: number, { impostor }: PairScores): number {
  const sorted = [...impostor].sort((a, b) => b - a);
  return sorted[Math.floor(far * sorted.length)] ?? -1;
}

/** Share of scores above the threshold: the true acceptance rate of genuine pairs, the false one of impostors. */
export function accepted(scores: readonly number[], threshold: number): number {
  return scores.filter((score) => score > threshold).length / scores.length;
}
