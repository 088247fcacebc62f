import { expect, test } from 'vitest';
import { drawPoints } from './fixtures/turned-head.js';
import { mergeCandidates } from './merge.js';

const face = (x: number, y: number, side: number, score: number, angleDeg = 0) => ({
  score,
  frame: { centre: { x, y }, width: side, height: side, angleDeg },
});

test('a face seen in two windows is one face, the better of the two', () => {
  expect(mergeCandidates([face(100, 100, 40, 0.9), face(104, 98, 44, 0.97)])).toEqual([
    face(104, 98, 44, 0.97),
  ]);
});

test('a face seen upright and in a turned view is one face', () => {
  expect(mergeCandidates([face(100, 100, 60, 0.9), face(101, 100, 60, 0.95, 45)])).toHaveLength(1);
});

test('an eye or a mouth mistaken for a face within a face does not count', () => {
  expect(mergeCandidates([face(100, 100, 200, 0.99), face(120, 130, 40, 0.85)])).toHaveLength(1);
});

test('cheek by cheek two faces stay two', () => {
  expect(mergeCandidates([face(100, 100, 80, 0.99), face(160, 110, 70, 0.9)])).toHaveLength(2);
});

test('two boxes of odd shapes around the same eyes, nose and mouth are one face', () => {
  const points = drawPoints({ yawDeg: 0, pitchDeg: 0, rollDeg: 0 });
  const wide = {
    ...face(500, 430, 0, 1),
    frame: { centre: { x: 500, y: 430 }, width: 260, height: 200, angleDeg: 0 },
    points,
  };
  const high = {
    ...face(500, 330, 0, 0.9),
    frame: { centre: { x: 500, y: 340 }, width: 180, height: 210, angleDeg: 0 },
    points,
  };
  expect(mergeCandidates([wide, high])).toEqual([wide]);
});
