import { describe, expect, test } from 'vitest';
import { drawPoints } from './fixtures/turned-head.js';
import { estimatePose } from './pose.js';

describe('the pose of a turned head is estimated from its five points', () => {
  test.each([-40, -20, 0, 20, 40])('yaw %i', (yawDeg) => {
    const pose = estimatePose(drawPoints({ yawDeg, pitchDeg: 0, rollDeg: 0 }));
    expect(pose.yawDeg).toBeCloseTo(yawDeg, 0);
    expect(Math.abs(pose.rollDeg)).toBeLessThan(2);
  });

  test.each([-30, -15, 15, 30])('pitch %i', (pitchDeg) => {
    expect(estimatePose(drawPoints({ yawDeg: 0, pitchDeg, rollDeg: 0 })).pitchDeg).toBeCloseTo(pitchDeg, 0);
  });

  test.each([-170, -90, -45, 45, 90, 180])('roll %i, whatever the yaw', (rollDeg) => {
    for (const yawDeg of [0, 25]) {
      const pose = estimatePose(drawPoints({ yawDeg, pitchDeg: 0, rollDeg }));
      const apart = ((pose.rollDeg - rollDeg + 540) % 360) - 180;
      expect(Math.abs(apart)).toBeLessThan(2);
      expect(pose.yawDeg).toBeCloseTo(yawDeg, 0);
    }
  });
});

test('coincident points have no pose and no meaningless numbers', () => {
  const point = { x: 3, y: 4 };
  expect(estimatePose([point, point, point, point, point])).toEqual({ yawDeg: 0, pitchDeg: 0, rollDeg: 0 });
});
