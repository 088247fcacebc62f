import { expect, test } from 'vitest';
import { dropDoubles } from './drop-doubles.js';
import type { FivePoints } from './face.js';
import { drawPoints } from './fixtures/turned-head.js';

const face = (points: FivePoints, refinedProbability: number, centre: { x: number; y: number }) => ({
  score: 1,
  frame: { centre, width: 120, height: 140, angleDeg: 0 },
  points,
  probability: 0.9,
  refinedProbability,
  landmarkDisagreement: 0,
});
const moved = (points: FivePoints, right: number): FivePoints => {
  const [a, b, c, d, e] = points.map(({ x, y }) => ({ x: x + right, y }));
  if (!a || !b || !c || !d || !e) throw new Error('five points');
  return [a, b, c, d, e];
};
const upright = drawPoints({ yawDeg: 0, pitchDeg: 0, rollDeg: 0 });
const lying = drawPoints({ yawDeg: 0, pitchDeg: 0, rollDeg: 90 });

test('a face that was found in two turns, in boxes beside each other, is one: that of which the filter is more certain', () => {
  const wrong = face(upright, 0.4, { x: 430, y: 380 });
  const right = face(lying, 0.99, { x: 560, y: 420 });
  expect(dropDoubles([wrong, right])).toEqual([right]);
  expect(dropDoubles([right, wrong])).toEqual([right]);
});

test('two faces cheek by cheek stay two, in the order of before', () => {
  const [left, right] = [
    face(upright, 0.8, { x: 500, y: 400 }),
    face(moved(upright, 270), 0.99, { x: 770, y: 400 }),
  ];
  expect(dropDoubles([left, right])).toEqual([left, right]);
});
