import { expect, test } from 'vitest';
import type { Image } from '../../image/image.js';
import type { LoadedModel } from '../task.js';
import { runDetector } from './run-detector.js';

/** An image of 100 x 50: of a letterbox of 64 x 64 it fills the rows 16 to 48. */
const image: Image = {
  kind: 'png',
  width: 100,
  height: 50,
  raster: async ({ width, height }) => new Uint8Array(width * height * 3),
  patch: async () => new Uint8Array(),
};

/** A detector that answers these boxes, in pixels of its input. */
function detectorOf(boxes: readonly (readonly number[])[]): LoadedModel {
  const flat = Float32Array.from(boxes.flat(), (side) => side / 64);
  return {
    ref: { id: 'mine', version: '1', dir: '/nowhere' },
    manifest: {
      id: 'mine',
      version: '1',
      title: 'Mine',
      family: 'detector',
      input: { fit: 'letterbox', width: 64, height: 64, fill: 114, place: 'centre' },
      labels: [{ id: 'mine:0', title: 'dog' }],
    },
    inputs: ['image', 'score_threshold', 'iou_threshold'],
    run: async () => ({
      boxes: { data: flat, dims: [boxes.length, 4] },
      scores: { data: new Float32Array(boxes.length).fill(0.9), dims: [boxes.length] },
      classes: { data: new BigInt64Array(boxes.length), dims: [boxes.length] },
    }),
  };
}

test('a box that lies in the border of the letterbox is not answered, and one that reaches into the image is cut', async () => {
  const model = detectorOf([
    [10, 2, 30, 14],
    [10, 50, 30, 60],
    [10, 4, 30, 16],
    [32, 8, 48, 32],
    [0, 16, 16, 48],
  ]);
  const signal = new AbortController().signal;
  const found = await runDetector(model, image, { minScore: 0.1, nmsIou: 0.5, detail: 'normal', signal });
  expect(found.map(({ box }) => box)).toEqual([
    { xMin: 50, yMin: 0, xMax: 75, yMax: 25 },
    { xMin: 0, yMin: 0, xMax: 25, yMax: 50 },
  ]);
});
