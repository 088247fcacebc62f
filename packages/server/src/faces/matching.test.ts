import { faceChains } from '@lynceus/engine';
import { describe, expect, test } from 'vitest';
import { judge, toCountedCosine, toSimilarity } from './matching.js';

const { decisionCosine, cosineSlope, falseMatch, degradedFalseMatch } = faceChains.accurate;
const calibration = { midpoint: decisionCosine, slope: cosineSlope };
const options = {
  calibration,
  decisionSimilarity: 0.5,
  people: 100,
  falseMatch: { cosine: decisionCosine, ...falseMatch },
  degradedFalseMatch: { cosine: decisionCosine, ...degradedFalseMatch },
};
const clear = (cosine: number) => ({ cosine, isDegraded: false });
const degraded = (cosine: number) => ({ cosine, isDegraded: true });

describe('a similarity', () => {
  test('is one half at the decision point, and rises with the cosine', () => {
    expect(toSimilarity(decisionCosine, calibration)).toBe(0.5);
    const rising = [-1, 0, 0.3, 0.45, 0.6, 0.8, 1].map((cosine) => toSimilarity(cosine, calibration));
    expect([...rising].sort((a, b) => a - b)).toEqual(rising);
    expect(rising[0]).toBeGreaterThanOrEqual(0);
    expect(rising.at(-1)).toBeLessThanOrEqual(1);
  });
});

describe('a verdict', () => {
  test.each([
    ['the same face', 1, 0.1, 'match'],
    ['a good photograph', 0.7, 0.2, 'match'],
    ['just above the decision point', decisionCosine + 0.01, 0.1, 'unsure'],
    ['just below it', decisionCosine - 0.01, 0.1, 'unsure'],
    ['a stranger', 0.2, 0.1, 'unknown'],
    ['two people alike', 0.7, 0.68, 'unsure'],
  ])('of %s', (_what, best, second, verdict) => {
    expect(judge(clear(best), clear(second), options).verdict).toBe(verdict);
  });

  test('of a degraded face is unsure at most, however alike it is, and its similarity ends below the decision point', () => {
    for (const decisionSimilarity of [0, 0.1, 0.5, 0.9]) {
      const rule = { ...options, decisionSimilarity };
      expect(judge(degraded(0.99), undefined, rule).verdict).toBe('unsure');
      const similarity = toSimilarity(toCountedCosine(degraded(0.99), rule), calibration);
      expect(similarity).toBeLessThan(Math.max(1e-9, decisionSimilarity - 0.009));
    }
    expect(judge(degraded(0.1), undefined, options).verdict).toBe('unknown');
    expect(toCountedCosine(degraded(0.1), options)).toBe(0.1);
  });

  test('is not held back by a second person whose image is degraded', () => {
    expect(judge(clear(0.7), degraded(0.69), options).verdict).toBe('match');
  });

  test('of a degraded face has the false-match rate of such faces', () => {
    const rate = (isDegraded: boolean) =>
      judge({ cosine: 0.6, isDegraded }, undefined, { ...options, people: 1 }).falseMatchRate;
    expect(rate(true)).toBeGreaterThan(10 * rate(false));
  });

  test('needs no second person', () => {
    expect(judge(clear(0.7), undefined, options)).toMatchObject({ verdict: 'match', margin: 1 });
  });

  test("moves with the perception's own decision point", () => {
    expect(
      judge(clear(decisionCosine + 0.05), clear(0.1), { ...options, decisionSimilarity: 0.9 }).verdict,
    ).toBe('unknown');
    expect(
      judge(clear(decisionCosine - 0.05), clear(0.1), { ...options, decisionSimilarity: 0.1 }).verdict,
    ).toBe('match');
    // At its ends: everybody, and nobody but the very same vector perhaps.
    expect(judge(clear(-1), undefined, { ...options, decisionSimilarity: 0 }).verdict).toBe('match');
    expect(judge(clear(1), undefined, { ...options, decisionSimilarity: 1 }).verdict).toBe('unknown');
  });

  test('tells a false-match rate that grows with the gallery and falls with the cosine', () => {
    const rate = (cosine: number, people: number) =>
      judge(clear(cosine), undefined, { ...options, people }).falseMatchRate;
    const { rate: one, perTenfold } = falseMatch;
    expect(rate(decisionCosine, 1)).toBeCloseTo(one, 6);
    expect(rate(decisionCosine, 1000)).toBeCloseTo(1 - (1 - one) ** 1000, 6);
    expect(rate(decisionCosine + 2 * perTenfold, 1)).toBeCloseTo(one / 100, 8);
    // What was never measured is not promised.
    expect(rate(0.95, 1)).toBeCloseTo(one / 100, 8);
    expect(rate(-1, 1000)).toBe(1);
    expect(rate(decisionCosine, 0)).toBeCloseTo(0);
  });
});
