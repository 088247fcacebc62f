import { expect, test } from 'vitest';
import { drawPoints } from './fixtures/turned-head.js';
import { faceSize, pointIn } from './frame.js';
import { judgeQuality } from './quality.js';
import { frameOfPoints } from './refine.js';

const points = (rollDeg: number) => drawPoints({ yawDeg: 0, pitchDeg: 0, rollDeg });
const grey = new Uint8Array(112 * 112 * 3).fill(128);

test.each([-60, 0, 25, 90, 180])(
  'the frame of a head tilted by %s degrees is tilted with it, around the face',
  (rollDeg) => {
    const frame = frameOfPoints(points(rollDeg));
    const difference = ((((frame.angleDeg - rollDeg) % 360) + 540) % 360) - 180;
    expect(Math.abs(difference)).toBeLessThan(2);
    expect(frame.height).toBeGreaterThan(frame.width);
    // The eyes are in the upper half, the mouth in the lower one, all within.
    const centre = points(rollDeg).reduce((sum, { x, y }) => ({ x: sum.x + x / 5, y: sum.y + y / 5 }), {
      x: 0,
      y: 0,
    });
    expect(Math.hypot(centre.x - frame.centre.x, centre.y - frame.centre.y)).toBeLessThan(
      0.15 * faceSize(frame),
    );
  },
);

test('a mirrored frame shows the same region from the other side', () => {
  const frame = { centre: { x: 50, y: 40 }, width: 20, height: 10, angleDeg: 30 };
  const mirrored = { ...frame, isMirrored: true };
  for (const [x, y] of [
    [0, 0],
    [0.25, 0.75],
    [1, 1],
  ] as const) {
    const [own, other] = [pointIn(frame, 1 - x, y), pointIn(mirrored, x, y)];
    expect(other.x).toBeCloseTo(own.x, 9);
    expect(other.y).toBeCloseTo(own.y, 9);
  }
});

test('points on which two looks differ are implausible', () => {
  const located = { frame: frameOfPoints(points(0)), points: points(0), refinedProbability: 1 };
  expect(judgeQuality({ ...located, landmarkDisagreement: 0.07 }, grey).problems).not.toContain(
    'landmarks-implausible',
  );
  expect(judgeQuality({ ...located, landmarkDisagreement: 0.09 }, grey).problems).toContain(
    'landmarks-implausible',
  );
});
