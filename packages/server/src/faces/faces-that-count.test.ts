import { expect, test } from 'vitest';
import { facesThatCount } from './faces-that-count.js';

const face = (sizePx: number, score = 1) => ({
  score,
  quality: {
    sizePx,
    sharpness: 1,
    directionalSharpness: 1,
    coverage: 0,
    brightness: 120,
    yawDeg: 0,
    pitchDeg: 0,
    rollDeg: 0,
    problems: [],
  },
});

/** Sizes and scores of second faces as they were measured beside first ones. */
test.each([
  ['a tiny face beside a large one', face(671), face(35), 1],
  ['a tiny and certain one', face(265), face(14, 0.976), 1],
  ['a pattern of an ear and a collar', face(679), face(211, 0.806), 1],
  ['two people side by side', face(508), face(508), 2],
  ['a person whose face is half as large', face(656), face(269), 2],
  ['a person in the second row', face(582), face(131), 2],
  ['a person of a fifth', face(600), face(116, 0.97), 2],
  ['a doubtful face of nearly the same size', face(100), face(60, 0.85), 2],
])('%s: %#', (_case, first, second, count) => {
  expect(facesThatCount([first, second])).toHaveLength(count);
});

test('without faces none counts', () => {
  expect(facesThatCount([])).toEqual([]);
});
