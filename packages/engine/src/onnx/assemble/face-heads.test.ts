import { expect, test } from 'vitest';
import { floats } from '../fixtures/run-graph.js';
import { ImportError } from '../import-error.js';
import type { HeadSpec } from '../recipe.js';
import { type HeadInput, runHead } from './fixtures/run-head.js';

const spec: HeadSpec<'anchored-faces'> = {
  head: 'anchored-faces',
  scores: 's',
  offsets: 'o',
  image: 'p',
  anchors: [
    { stride: 8, sizes: [10, 16] },
    { stride: 16, sizes: [32] },
  ],
  maxFaces: 10,
};

/** A net's answer for an image of that size; all anchors are background except those named. */
function answer(
  height: number,
  width: number,
  faces: ReadonlyMap<number, readonly number[]>,
): readonly HeadInput[] {
  const cells = (stride: number) => Math.ceil(height / stride) * Math.ceil(width / stride);
  const count = cells(8) * 2 + cells(16);
  const scores = new Float32Array(2 * count);
  const offsets = new Float32Array(4 * count);
  for (const [anchor, [score = 0, ...offset]] of faces) {
    scores[2 * anchor + 1] = score;
    offsets.set(offset, 4 * anchor);
  }
  return [
    { dims: [1, count, 2], data: scores },
    { dims: [1, count, 4], data: offsets },
    { dims: [1, 3, height, width], data: new Float32Array(3 * height * width) },
  ];
}

const thresholds = { score: 0.5, iou: 0.4 };

test('a face is decoded from its anchor: grid by grid, row by row, cell by cell, size by size', async () => {
  // 5 x 3 cells of 8 pixels with two sizes, then 3 x 2 cells of 16 pixels with one.
  const [height, width] = [24, 40];
  const small = (1 * 5 + 2) * 2 + 1;
  const large = 30 + 1 * 3 + 1;
  const faces = new Map([
    [small, [0.9, 2, -1, 0, 1]],
    [large, [0.8, 0, 0, 0, -5]],
  ]);
  const outputs = await runHead(spec, answer(height, width, faces), thresholds);
  expect(Object.keys(outputs).sort()).toEqual(['boxes', 'scores']);
  expect(floats(outputs['scores'])).toEqual([0.9, 0.8].map(Math.fround));
  const corners = (cx: number, cy: number, w: number, h: number) => [
    (cx - w / 2) / width,
    (cy - h / 2) / height,
    (cx + w / 2) / width,
    (cy + h / 2) / height,
  ];
  const expected = [
    ...corners(20 + 0.2 * 16, 12 - 0.1 * 16, 16, 16 * Math.exp(0.2)),
    // An anchor never exceeds the image: of 32 pixels 24 are left in height, from which its size is computed.
    ...corners(24, 24, 32, 24 * Math.exp(-1)),
  ].map((side) => Math.min(Math.max(side, 0), 1));
  floats(outputs['boxes']).forEach((side, index) => {
    expect(side).toBeCloseTo(expected[index] ?? Number.NaN, 5);
  });
});

test('images of any size have their anchors, and no false face', async () => {
  for (const [height, width] of [
    [8, 8],
    [17, 90],
    [64, 33],
  ] as const) {
    const last = answer(height, width, new Map());
    expect(floats((await runHead(spec, last, thresholds))['scores'])).toEqual([]);
    const count = last[0]?.dims[1] ?? 0;
    const found = await runHead(
      spec,
      answer(height, width, new Map([[count - 1, [0.7, 0, 0, 0, 0]]])),
      thresholds,
    );
    expect(floats(found['scores'])).toEqual([Math.fround(0.7)]);
  }
});

test('a face filter gives the probability and five points as x, y pairs', async () => {
  const given = [
    { dims: [2, 2], data: Float32Array.of(0.25, 0.75, 1, 0) },
    { dims: [2, 10], data: Float32Array.from({ length: 20 }, (_, index) => index) },
  ];
  const outputs = await runHead({ head: 'face-filter', probabilities: 'a', points: 'b' }, given);
  expect(floats(outputs['probability'])).toEqual([0.75, 0]);
  expect(outputs['points']?.dims).toEqual([2, 5, 2]);
  expect(floats(outputs['points']).slice(0, 4)).toEqual([0, 5, 1, 6]);
});

test('landmarks are pairs', async () => {
  const data = Float32Array.of(1, 2, 3, 4, 5, 6);
  const { points } = await runHead({ head: 'landmarks', count: 3 }, [{ dims: [1, 6], data }]);
  expect(points?.dims).toEqual([1, 3, 2]);
});

test('embeddings have length 1, and a zero vector stays zero rather than NaN', async () => {
  const data = Float32Array.of(3, 4, 0, 0);
  const { embedding } = await runHead({ head: 'embedding' }, [{ dims: [2, 2], data }]);
  expect(floats(embedding)).toEqual([0.6, 0.8, 0, 0].map(Math.fround));
});

test('a net with more outputs than its head reads is refused', async () => {
  const one = { dims: [1, 2], data: Float32Array.of(1, 2) };
  await expect(runHead({ head: 'embedding' }, [one, one])).rejects.toThrow(ImportError);
});
