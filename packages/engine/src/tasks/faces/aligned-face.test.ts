import { expect, test } from 'vitest';
import { alignedFace, isAlignedFace } from './aligned-face.js';

test('only an embedder with the same square reuses the aligned faces', () => {
  expect(isAlignedFace({ side: 112, points: alignedFace.points.map(([x, y]) => [x, y] as const) })).toBe(
    true,
  );
  expect(isAlignedFace({ ...alignedFace, side: 150 })).toBe(false);
  expect(isAlignedFace({ side: 112, points: alignedFace.points.map(([x, y]) => [x + 1, y] as const) })).toBe(
    false,
  );
});
