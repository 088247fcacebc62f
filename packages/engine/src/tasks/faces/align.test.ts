import { expect, test } from 'vitest';
import { alignFace } from './align.js';
import { alignedFace as square } from './aligned-face.js';
import { drawPoints } from './fixtures/turned-head.js';
import { ovalBox, pointIn } from './frame.js';
import { meanOf } from './similarity.js';

test.each([0, 30, -45, 90, 180])('a face tilted by %i degrees stands upright when aligned', (rollDeg) => {
  const points = drawPoints({ yawDeg: 0, pitchDeg: 0, rollDeg });
  const frame = alignFace(points, square);
  for (const [index, [x, y]] of square.points.entries()) {
    const shown = pointIn(frame, x / square.side, y / square.side);
    const point = points[index] ?? meanOf(points);
    // The head of the test differs from the mean face: its points are near those of the square, not on them.
    expect(Math.hypot(shown.x - point.x, shown.y - point.y)).toBeLessThan(12);
  }
  const apart = ((frame.angleDeg - rollDeg + 540) % 360) - 180;
  expect(Math.abs(apart)).toBeLessThan(1);
});

test('the box of a rotated face is not larger than the face', () => {
  const frame = { centre: { x: 50, y: 60 }, width: 40, height: 40, angleDeg: 45 };
  const { xMin, xMax, yMin, yMax } = ovalBox(frame);
  expect([xMin, xMax, yMin, yMax].map(Math.round)).toEqual([30, 70, 40, 80]);
});
