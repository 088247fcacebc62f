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
    ['just above the decision point', 0.46, 0.1, 'unsure'],
    ['just below it', 0.44, 0.1, 'unsure'],
    ['a stranger', 0.2, 0.1, 'unknown'],
    ['two people alike', 0.7, 0.68, 'unsure'],
  ])('of %s', (_what, best, second, verdict) => {
    expect(judge(best, second, options).verdict).toBe(verdict);
  });

  test('needs no second person', () => {
    expect(judge(0.7, undefined, options)).toMatchObject({ verdict: 'match', margin: 1 });
  });

  test("moves with the perception's own decision point", () => {
    expect(judge(0.5, 0.1, { ...options, decisionSimilarity: 0.9 }).verdict).toBe('unknown');
    expect(judge(0.4, 0.1, { ...options, decisionSimilarity: 0.1 }).verdict).toBe('match');
    // At its ends: everybody, and nobody but the very same vector perhaps.
    expect(judge(-1, undefined, { ...options, decisionSimilarity: 0 }).verdict).toBe('match');
    expect(judge(1, undefined, { ...options, decisionSimilarity: 1 }).verdict).toBe('unknown');
  });

  test('tells a false-match rate that grows with the gallery and falls with the cosine', () => {
    const rate = (cosine: number, people: number) =>
      judge(cosine, undefined, { ...options, people }).falseMatchRate;
    expect(rate(0.45, 1)).toBeCloseTo(4e-4, 6);
    expect(rate(0.45, 1000)).toBeCloseTo(0.33, 2);
    expect(rate(0.65, 1000)).toBeCloseTo(0.004, 4);
    // What was never measured is not promised.
    expect(rate(0.95, 1000)).toBeCloseTo(0.004, 4);
    expect(rate(-1, 1000)).toBe(1);
    expect(rate(0.45, 0)).toBeCloseTo(0);
  });
});
