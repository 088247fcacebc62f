import { tmpdir } from 'node:os';
import { type FaceChainName, faceChains } from '@lynceus/engine';
import { createCosineCounts } from '#server/faces/cosine-counts.js';
import { fitSlope } from '#server/faces/fit-calibration.js';
import type { BenchEngine } from '../engine.js';
import { facesThroughEngine } from './ask-faces.js';
import { degradations } from './degrade.js';
import { accepted, missed, scoreAgainst } from './pairs.js';
import type { Portrait } from './people.js';
import { lookAtPhotos } from './photos.js';
import { probesOf, verifyPeople, withStrangers } from './verification.js';

/** The tail that the line is laid through: from one pair in twenty down to the twentieth highest of all. */
const tailFrom = 0.05;
const tailPairs = 20;

/** Rows: what the chain ships, and what these photographs say. */
export async function fitCurves(
  engine: BenchEngine,
  chain: FaceChainName,
  data: string,
  portraits: readonly Portrait[],
): Promise<readonly (readonly string[])[]> {
  const { decisionCosine, cosineSlope, falseMatch } = faceChains[chain];
  const ask = facesThroughEngine(engine, chain, { embed: true });
  const clean = await verifyPeople(portraits, ask);
  const { strangers } = await lookAtPhotos(data, ask, tmpdir());
  const all = withStrangers(clean, strangers);
  const [genuine, impostor] = [[...all.genuine], [...all.impostor]];
  for (const degradation of degradations.slice(1)) {
    const probes = await probesOf(degradation, clean.subjects, clean.probes, ask);
    const worse = scoreAgainst(probes, clean.probes);
    genuine.push(...worse.genuine);
    impostor.push(...worse.impostor);
  }
  const row = (title: string, of: readonly number[], against: readonly number[]) => {
    const seen = (scores: readonly number[]) => scores.filter((score) => score !== missed);
    const [ours, others] = [seen(of), seen(against)];
    const counts = { genuine: createCosineCounts(ours), impostor: createCosineCounts(others) };
    const tail = fitTail(others, decisionCosine);
    return [
      title,
      `${ours.length} / ${others.length}`,
      fitSlope(counts, decisionCosine).toFixed(1),
      accepted(others, decisionCosine).toExponential(1),
      tail.rate.toExponential(1),
      tail.perTenfold.toFixed(3),
    ];
  };
  const { rate, perTenfold } = falseMatch;
  return [
    ['shipped', '', cosineSlope.toFixed(1), '', rate.toExponential(1), perTenfold.toFixed(3)],
    row('as they are', all.genuine, all.impostor),
    row('made worse as well', genuine, impostor),
  ];
}

/** A straight line, by least squares, through the logarithm of the share of pairs that reach a cosine. */
export function fitTail(
  impostor: readonly number[],
  cosine: number,
): { readonly rate: number; readonly perTenfold: number } {
  const sorted = [...impostor].sort((a, b) => b - a);
  const steps = 20;
  const points = Array.from({ length: steps }, (_, step) => {
    const portion = tailFrom * (tailPairs / sorted.length / tailFrom) ** (step / (steps - 1));
    return { x: sorted[Math.floor(portion * sorted.length)] ?? -1, y: Math.log10(portion) };
  });
  const mean = (of: (point: { x: number; y: number }) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / steps;
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)];
  const slope = mean((point) => (point.x - x) * (point.y - y)) / mean((point) => (point.x - x) ** 2);
  return { rate: 10 ** (y + slope * (cosine - x)), perTenfold: -1 / slope };
}
