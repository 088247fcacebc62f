import { expect, test } from 'vitest';
import type { Candidate } from './fuse.js';
import { suppressOverlaps } from './run-detector.js';

const at = (score: number, xMin: number, classIndex = 0): Candidate => ({
  classIndex,
  score,
  box: { xMin, yMin: 0, xMax: xMin + 100, yMax: 100 },
});

test('of two overlapping boxes of one class the better stays', () => {
  expect(suppressOverlaps([at(0.9, 0), at(0.8, 10)], 0.45)).toEqual([at(0.9, 0)]);
});

test('a looser threshold keeps both, and threshold 1 keeps even equal boxes', () => {
  expect(suppressOverlaps([at(0.9, 0), at(0.8, 30)], 0.6)).toHaveLength(2);
  expect(suppressOverlaps([at(0.9, 0), at(0.8, 0)], 1)).toHaveLength(2);
});

test('boxes of different classes never suppress each other', () => {
  expect(suppressOverlaps([at(0.9, 0), at(0.8, 0, 1)], 0)).toHaveLength(2);
});

test('a suppressed box suppresses nothing itself', () => {
  expect(suppressOverlaps([at(0.9, 0), at(0.8, 40), at(0.7, 80)], 0.4)).toEqual([at(0.9, 0), at(0.7, 80)]);
});
