import { expect, test } from 'vitest';
import type { Frame } from './frame.js';
import { createFrozenDetector } from './frozen.js';

const frame = (value: number): Frame => ({
  width: 4,
  height: 2,
  pixels: new Uint8Array(24).fill(value),
  atMs: 0,
  motion: { width: 2, height: 1, pixels: new Uint8Array([value, 0]) },
  index: 0,
  sourceWidth: 4,
  sourceHeight: 2,
});

test('a image that stays the same is frozen after its time, and is opened again at doubling intervals', () => {
  const detector = createFrozenDetector(1000);
  const looks = Array.from(
    { length: 80 },
    (_, index) => [index * 100, detector.look(frame(1), index * 100)] as const,
  );
  expect(looks.find(([, look]) => look !== 'moving')?.[0]).toBe(1000);
  expect(looks.filter(([, look]) => look === 'reopen').map(([atMs]) => atMs)).toEqual([1000, 3000, 7000]);
});

test('one other pixel shows that it moves', () => {
  const detector = createFrozenDetector(1000);
  for (let atMs = 0; atMs < 5000; atMs += 100) {
    const changed = frame(1);
    changed.pixels[6] = (atMs / 100) & 1;
    expect(detector.look(changed, atMs)).toBe('moving');
  }
});
