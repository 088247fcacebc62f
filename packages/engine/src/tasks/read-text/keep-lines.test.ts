import { expect, test } from 'vitest';
import { keepLines } from './keep-lines.js';
import type { TextLine } from './text-lines.js';

const at = { x: 0, y: 0 };
const line = (text: string, score: number): TextLine => ({
  text,
  score,
  polygon: [at, at, at, at],
  box: { xMin: 0, yMin: 0, xMax: 9, yMax: 9 },
});
const kept = (...lines: [string, number][]) =>
  keepLines(
    lines.map(([text, score]) => line(text, score)),
    0.5,
  ).map(({ text }) => text);

test('the shorter a reading, the surer it must be', () => {
  expect(
    kept(['', 1], ['A', 0.79], ['7', 0.81], ['KO', 0.55], ['kg', 0.61], ['STOP', 0.5], ['word', 0.49]),
  ).toEqual(['7', 'kg', 'STOP']);
});

test('Chinese is left out unless one line of it is sure', () => {
  expect(kept(['STOP', 0.9], ['阿剪巴', 0.54], ['助', 0.95])).toEqual(['STOP']);
  expect(kept(['STOP', 0.9], ['出口', 0.81], ['阿剪巴', 0.54], ['助', 0.95])).toHaveLength(4);
});

test('a higher score can be asked for', () => {
  expect(keepLines([line('STOP', 0.7)], 0.8)).toEqual([]);
});
