import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCosineCounts, shareFrom, totalOf } from './cosine-counts.js';
import { chooseMidpoint, fitSlope } from './fit-calibration.js';
import { drawDistributions } from './propose-calibration.js';

/** As many cosines as wanted, evenly spread. */
const spread = (from: number, to: number, count: number) =>
  createCosineCounts(Array.from({ length: count }, (_, at) => from + ((to - from) * at) / (count - 1)));

describe('the slope', () => {
  test('is that of the curve the pairs were drawn from', () => {
    const [slope, midpoint] = [16, 0.45];
    const [genuine, impostor]: [number[], number[]] = [[], []];
    for (let cosine = -0.1; cosine < 1; cosine += 0.001) {
      const odds = Math.exp(slope * (cosine - midpoint));
      const share = Math.round((1000 * odds) / (1 + odds));
      for (let pair = 0; pair < 1000; pair += 1) (pair < share ? genuine : impostor).push(cosine);
    }
    const pairs = { genuine: createCosineCounts(genuine), impostor: createCosineCounts(impostor) };
    expect(fitSlope(pairs, midpoint)).toBeGreaterThan(slope * 0.9);
    expect(fitSlope(pairs, midpoint)).toBeLessThan(slope * 1.1);
  });

  test('is finite where the kinds do not overlap, and steeper the nearer they are', () => {
    const impostor = spread(-0.1, 0.4, 1000);
    const near = fitSlope({ genuine: spread(0.5, 0.9, 100), impostor }, 0.45);
    const far = fitSlope({ genuine: spread(0.8, 0.9, 100), impostor }, 0.6);
    expect(near).toBeGreaterThan(far);
    expect(near).toBeLessThan(400);
  });

  test('is 0 where one person is less like themselves than like others', () => {
    expect(fitSlope({ genuine: spread(0, 0.2, 100), impostor: spread(0.5, 0.9, 100) }, 0.4)).toBe(0);
  });
});

describe('the midpoint', () => {
  test('lies in the middle between kinds that do not overlap', () => {
    const pairs = { genuine: spread(0.6, 0.9, 100), impostor: spread(-0.1, 0.2, 1000) };
    expect(chooseMidpoint(pairs, 1e-3)).toBeCloseTo(0.4, 2);
  });

  test('is where both kinds err alike, unless too many strangers would be taken for a known person', () => {
    const pairs = { genuine: spread(0.3, 0.9, 6000), impostor: spread(-0.1, 0.5, 6000) };
    expect(chooseMidpoint(pairs, 1)).toBeCloseTo(0.4, 2);
    expect(chooseMidpoint(pairs, 1e-3)).toBeCloseTo(0.5, 2);
  });

  test('never lets more strangers through than it may, whatever the pairs', () => {
    const cosines = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(cosines, cosines, fc.double({ min: 0, max: 1, noNaN: true }), (genuine, others, rate) => {
        const pairs = { genuine: createCosineCounts(genuine), impostor: createCosineCounts(others) };
        const midpoint = chooseMidpoint(pairs, rate);
        expect(shareFrom(pairs.impostor, midpoint)).toBeLessThanOrEqual(rate + 1e-6);
        expect(totalOf(pairs.genuine)).toBe(genuine.length);
        const { from, to, ...shares } = drawDistributions(pairs);
        expect(from).toBeLessThan(to);
        for (const kind of [shares.genuine, shares.impostor]) {
          expect(kind.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 6);
        }
      }),
    );
  });
});
