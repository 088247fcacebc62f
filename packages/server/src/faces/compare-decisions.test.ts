import { expect, test } from 'vitest';
import { compareDecisions } from './compare-decisions.js';

const errorsAt = (cosine: number) => ({
  falseMatchRate: cosine < 0.5 ? 0.2 : 0,
  falseNonMatchRate: cosine < 0.5 ? 0 : 0.1,
});
const inForce = { midpoint: 0.4, slope: 10 };
const proposal = { calibration: { midpoint: 0.6, slope: 20 }, errorsAt };

test('the decision point moves to the proposed midpoint, with the errors of either place', () => {
  const { now, proposed } = compareDecisions(inForce, proposal, 0.5);
  expect(now).toMatchObject({ cosine: 0.4, similarityNow: 0.5, falseMatchRate: 0.2, falseNonMatchRate: 0 });
  expect(now.similarityProposed).toBeCloseTo(1 / (1 + Math.exp(4)), 9);
  expect(proposed).toMatchObject({ cosine: 0.6, similarityProposed: 0.5, falseMatchRate: 0 });
  expect(proposed.similarityNow).toBeCloseTo(1 / (1 + Math.exp(-2)), 9);
});

test('a perception that takes everybody or nobody has its decision point at the end of the cosines', () => {
  expect(compareDecisions(inForce, proposal, 0).now.cosine).toBe(-1);
  expect(compareDecisions(inForce, proposal, 1).proposed.cosine).toBe(1);
});
