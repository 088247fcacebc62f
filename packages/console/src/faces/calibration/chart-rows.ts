import type { CalibrationReport, SimilarityCurve } from '@lynceus/client';

/** A point on the cosine axis; shares are in percent of their kind of pairs, similarities 0 to 100. */
interface ChartRow {
  readonly cosine: number;
  readonly genuine: number | null;
  readonly impostor: number | null;
  readonly now: number;
  readonly proposed: number | null;
}

/** Without pairs, the curve alone is drawn from here to 1. */
const leastCosine = -0.2;
const steps = 60;

export function similarityAt({ midpoint, slope }: SimilarityCurve, cosine: number): number {
  return 1 / (1 + Math.exp(-slope * (cosine - midpoint)));
}

/** The bars of both kinds of pairs, with the values of the curves at the middle of each bar. */
export function toChart({ calibration, proposal }: CalibrationReport): {
  readonly rows: readonly ChartRow[];
  readonly from: number;
  readonly to: number;
} {
  const bars = proposal?.distributions;
  const count = bars?.genuine.length ?? steps;
  const from = bars?.from ?? leastCosine;
  const to = bars?.to ?? 1;
  const width = (to - from) / count;
  const rows = Array.from({ length: count }, (_, index) => {
    const cosine = from + (index + 0.5) * width;
    return {
      cosine,
      genuine: bars ? (bars.genuine[index] ?? 0) * 100 : null,
      impostor: bars ? (bars.impostor[index] ?? 0) * 100 : null,
      now: similarityAt(calibration, cosine) * 100,
      proposed: proposal ? similarityAt(proposal.calibration, cosine) * 100 : null,
    };
  });
  return { rows, from, to };
}
