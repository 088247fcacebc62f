import type { CalibrationReport, ProposedCalibration } from '@lynceus/client';
import { describe, expect, test } from 'vitest';
import { similarityAt, toChart } from './chart-rows.js';

const curve = { midpoint: 0.45, slope: 13 };
const report: CalibrationReport = {
  calibration: curve,
  source: 'embedder',
  embedder_calibration: curve,
  proposal: null,
  reason: 'too few people',
};
const point = {
  cosine: 0.45,
  similarity_now: 0.5,
  similarity_proposed: 0.4,
  false_match_rate: 0,
  false_non_match_rate: 0,
};
const proposal: ProposedCalibration = {
  calibration: { midpoint: 0.5, slope: 20 },
  people: 30,
  images: 60,
  pairs: { genuine: 30, impostor: 1740 },
  decision: { now: point, proposed: point },
  distributions: { from: 0, to: 1, genuine: [0, 0, 0.25, 0.75], impostor: [0.9, 0.1, 0, 0] },
};

describe('the chart of a calibration', () => {
  test('has the value 0.5 at the midpoint of the curve', () => {
    expect(similarityAt(curve, curve.midpoint)).toBe(0.5);
    expect(similarityAt(curve, 1)).toBeGreaterThan(0.999);
    expect(similarityAt(curve, -1)).toBeLessThan(0.001);
  });

  test('draws only the curve if there are too few people', () => {
    const { rows } = toChart(report);
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.every(({ genuine, proposed }) => genuine === null && proposed === null)).toBe(true);
    expect(rows.at(-1)?.now).toBeGreaterThan(99);
  });

  test('draws both kinds of pairs at the middle of their bars, in percent', () => {
    expect(toChart({ ...report, proposal }).rows).toMatchObject([
      { cosine: 0.125, genuine: 0, impostor: 90 },
      { cosine: 0.375, genuine: 0, impostor: 10 },
      { cosine: 0.625, genuine: 25, impostor: 0 },
      { cosine: 0.875, genuine: 75, impostor: 0 },
    ]);
  });
});
