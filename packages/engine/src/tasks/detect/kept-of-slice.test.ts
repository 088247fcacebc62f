import { expect, test } from 'vitest';
import type { Candidate } from './fuse.js';
import { keptOfSlice } from './kept-of-slice.js';

const image = { width: 3000, height: 2000 };
const slice = { xMin: 1000, yMin: 500, xMax: 1700, yMax: 1200 };
/** A face that fills the image, and what a slice sees of it: a cheek, whose side the detector put some way inside the border. */
const face: Candidate = { classIndex: 0, score: 0.8, box: { xMin: 600, yMin: 100, xMax: 2400, yMax: 2000 } };
const cheek: Candidate = {
  classIndex: 0,
  score: 0.6,
  box: { xMin: 1020, yMin: 600, xMax: 1500, yMax: 1100 },
};
const kept = (seen: Candidate, whole: Candidate[]) => keptOfSlice([seen], slice, { image, whole });

test('what a slice sees near its border of an object of the whole image is left out', () => {
  expect(kept(cheek, [face])).toEqual([]);
  expect(kept(cheek, [])).toHaveLength(1);
  expect(kept({ ...cheek, classIndex: 1 }, [face])).toHaveLength(1);
  expect(kept(cheek, [{ ...face, score: 0.05 }])).toHaveLength(1);
  expect(kept(cheek, [{ ...face, box: { ...face.box, xMax: 1300 } }])).toHaveLength(1);
});

test('a small object in front of a large one of its class stays', () => {
  const child = { ...cheek, box: { xMin: 1200, yMin: 700, xMax: 1400, yMax: 1000 } };
  expect(kept(child, [face])).toHaveLength(1);
});

test('what only a slice shows scores less', () => {
  expect(kept(cheek, [])[0]?.score).toBeCloseTo(0.42, 6);
});
