import { expect, test } from 'vitest';
import { asUprightCharacter, withDoubtOfLone } from './lone-character.js';
import { cornersOf } from './strip.js';
import type { TextLine } from './text-lines.js';

const strip = { centre: { x: 50, y: 50 }, width: 40, height: 30, angleRad: 0 };
const line = (text: string, angleRad = 0): TextLine => ({
  text,
  score: 0.97,
  polygon: cornersOf({ ...strip, angleRad }),
  box: { xMin: 30, yMin: 35, xMax: 70, yMax: 65 },
});
const scores = (...lines: TextLine[]) => withDoubtOfLone(lines).map(({ score }) => score);

test('what may be one character is read upright, whichever way its region was turned', () => {
  for (const quarters of [0, 1, 2, 3]) {
    const upright = asUprightCharacter({ ...strip, angleRad: (quarters * Math.PI) / 2 });
    expect(Math.cos(upright?.angleRad ?? Number.NaN)).toBeCloseTo(1);
  }
  expect(asUprightCharacter({ ...strip, width: 120 })).toBeNull();
});

test('a lone character whose shape another one has, or that was read turned, is at even odds', () => {
  expect(scores(line('S'))).toEqual([0.5]);
  expect(scores(line('0'))).toEqual([0.5]);
  expect(scores(line('R', Math.PI / 2))).toEqual([0.5]);
  expect(scores(line('R'))).toEqual([0.97]);
  expect(scores(line('7', 0.1))).toEqual([0.97]);
  expect(withDoubtOfLone([line('R')], true)[0]?.score).toBe(0.5);
});

test('with other text, or as a part of a word, it keeps its score', () => {
  expect(scores(line('S'), line('M'))).toEqual([0.97, 0.97]);
  expect(scores(line('So'))).toEqual([0.97]);
});
