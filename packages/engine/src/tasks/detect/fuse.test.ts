import { describe, expect, test } from 'vitest';
import { type Candidate, fuseBoxes } from './fuse.js';

const at = (score: number, xMin: number, classIndex = 0): Candidate => ({
  classIndex,
  score,
  box: { xMin, yMin: 0, xMax: xMin + 100, yMax: 100 },
});

describe('weighted boxes fusion', () => {
  test('one object seen by both models becomes one box between theirs, nearer to the one with the higher score', () => {
    const fused = fuseBoxes([[at(0.8, 0)], [at(0.4, 12)]], 0.55);
    expect(fused).toHaveLength(1);
    expect(fused[0]?.score).toBeCloseTo(0.6);
    expect(fused[0]?.box.xMin).toBeCloseTo(4);
    expect(fused[0]?.box.xMax).toBeCloseTo(104);
  });

  test('an object that only one of two models sees keeps half its score', () => {
    expect(fuseBoxes([[at(0.8, 0)], []], 0.55)[0]?.score).toBeCloseTo(0.4);
  });

  test('a second box of one model on the same object neither counts as agreement nor lowers the score', () => {
    expect(fuseBoxes([[at(0.8, 0), at(0.2, 5)], []], 0.55)[0]?.score).toBeCloseTo(0.4);
    expect(fuseBoxes([[at(0.8, 0), at(0.2, 5)], [at(0.6, 0)]], 0.55)[0]?.score).toBeCloseTo(0.7);
  });

  test('boxes of different classes, or far apart, stay separate', () => {
    expect(fuseBoxes([[at(0.8, 0)], [at(0.7, 0, 1)]], 0.55)).toHaveLength(2);
    expect(fuseBoxes([[at(0.8, 0)], [at(0.7, 60)]], 0.55)).toHaveLength(2);
  });

  test('the answer is sorted, best first', () => {
    const scores = fuseBoxes([[at(0.3, 0), at(0.9, 500)], [at(0.5, 1000)]], 0.55).map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });
});
