import { expect, test } from 'vitest';
import { imageOf } from '../../image/pixel-image.js';
import type { LoadedModel } from '../task.js';
import type { FilteredCandidate } from './filter.js';
import { drawPoints } from './fixtures/turned-head.js';
import { orientFaces } from './orient.js';

const pixels = { data: new Uint8Array(100 * 100 * 3), width: 100, height: 100, channels: 3 as const };
const image = imageOf('png', { width: 100, height: 100, pixels });
const upright: FilteredCandidate = {
  frame: { centre: { x: 50, y: 50 }, width: 60, height: 70, angleDeg: 0 },
  score: 1,
  probability: 0.6,
  points: drawPoints({ yawDeg: 0, pitchDeg: 0, rollDeg: 0 }),
};

/** A filter that is certain of every rotated face. */
const filter = {
  ref: { id: 'onet', version: '1', dir: '' },
  manifest: { input: { fit: 'square', side: 48 } },
  run: async () => ({
    probability: { data: Float32Array.of(0.98, 0.99, 0.98), dims: [3] },
    points: { data: new Float32Array(30), dims: [3, 10] },
  }),
} as unknown as LoadedModel;

test('a rotated face is accepted where two looks at its points agree, and the upright one stays otherwise', async () => {
  const keepAll = { filter, keepPlausible: async (turned: readonly FilteredCandidate[]) => turned };
  expect((await orientFaces(keepAll, image, [upright], 0.97))[0]?.frame.angleDeg).toBe(-90);
  const keepNone = { filter, keepPlausible: async () => [] };
  expect(await orientFaces(keepNone, image, [upright], 0.97)).toEqual([upright]);
});
