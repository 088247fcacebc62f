import { expect, test } from 'vitest';
import { createMotionGate } from './motion-gate.js';

const seconds = (count: number) => Array.from({ length: count * 5 }, (_, frame) => frame * 200);

test('an image without motion is analysed once in ten seconds', () => {
  const gate = createMotionGate({ isOn: true, minArea: 0.01 });
  const analysed = seconds(35).filter((atMs) => gate.isOpen(atMs, 0.005, false));
  expect(analysed).toEqual([0, 10_000, 20_000, 30_000]);
});

test('each frame is analysed during motion, and for two seconds after it', () => {
  const gate = createMotionGate({ isOn: true, minArea: 0.01 });
  const analysed = seconds(8).filter((atMs) =>
    gate.isOpen(atMs, atMs >= 1000 && atMs < 3000 ? 0.2 : 0, false),
  );
  expect(analysed).toEqual(seconds(8).filter((atMs) => atMs === 0 || (atMs >= 1000 && atMs <= 4800)));
});

test('each frame is analysed while a moving object is followed', () => {
  const gate = createMotionGate({ isOn: true, minArea: 0.01 });
  expect(seconds(5).every((atMs) => gate.isOpen(atMs, 0, true))).toBe(true);
});

test('each frame is analysed where the gate is off', () => {
  const gate = createMotionGate({ isOn: false, minArea: 0.01 });
  expect(seconds(20).every((atMs) => gate.isOpen(atMs, 0, false))).toBe(true);
});
