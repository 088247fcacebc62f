import { faceChains } from '@lynceus/engine';
import { describe, expect, test } from 'vitest';
import { judge, toSimilarity } from './matching.js';

const { decisionCosine, cosineSlope, falseMatch } = faceChains.accurate;
const calibration = { midpoint: decisionCosine, slope: cosineSlope };
const options = {
  calibration,
  decisionSimilarity: 0.5,
  people: 100,
  falseMatch: { cosine: decisionCosine, ...falseMatch },
};

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
    expect(judge(best, second, options).verdict).toBe(verdict);
  });

  test('needs no second person', () => {
    expect(judge(0.7, undefined, options)).toMatchObject({ verdict: 'match', margin: 1 });
  });

  test("moves with the perception's own decision point", () => {
    expect(judge(decisionCosine + 0.05, 0.1, { ...options, decisionSimilarity: 0.9 }).verdict).toBe(
      'unknown',
    );
    expect(judge(decisionCosine - 0.05, 0.1, { ...options, decisionSimilarity: 0.1 }).verdict).toBe('match');
    // At its ends: everybody, and nobody but the very same vector perhaps.
    expect(judge(-1, undefined, { ...options, decisionSimilarity: 0 }).verdict).toBe('match');
    expect(judge(1, undefined, { ...options, decisionSimilarity: 1 }).verdict).toBe('unknown');
  });

  test('tells a false-match rate that grows with the gallery and falls with the cosine', () => {
    const rate = (cosine: number, people: number) =>
      judge(cosine, undefined, { ...options, people }).falseMatchRate;
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
