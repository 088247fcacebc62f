import { expect, test } from 'vitest';
import { fitScoreLine, logit } from './score-line.js';

const judged = (score: number, isRight: boolean) => ({ score, isRight, weight: 1 });
const shown = (score: number, { slope, shift }: { slope: number; shift: number }) =>
  1 / (1 + Math.exp(-slope * score - shift));

test('the score with the best F1 becomes 0.4, wherever it was', () => {
  for (const at of [-6, 0, 9]) {
    const right = Array.from({ length: 20 }, (_, index) => judged(at + 0.5 + index / 10, true));
    const wrong = Array.from({ length: 60 }, (_, index) => judged(at - 0.5 - index / 10, false));
    const line = fitScoreLine({ scores: [...right, ...wrong], truths: 20 });
    expect(shown(at + 0.5, line)).toBeGreaterThan(0.4);
    expect(shown(at - 0.5, line)).toBeLessThan(0.4);
  }
});

test('a better box never gets a lower score', () => {
  const upsideDown = [judged(5, false), judged(4, false), judged(-4, true)];
  expect(fitScoreLine({ scores: upsideDown, truths: 1 }).slope).toBeGreaterThan(0);
});

test('without any correct box the threshold is the default', () => {
  expect(fitScoreLine({ scores: [], truths: 0 })).toEqual({ slope: 1, shift: logit(0.4) });
  expect(fitScoreLine({ scores: [judged(1, false)], truths: 3 })).toEqual({ slope: 1, shift: logit(0.4) });
});
