import { expect, test } from 'vitest';
import { floats, runGraph } from '../fixtures/run-graph.js';
import { GraphBuilder } from '../graph/graph-builder.js';
import { asDims } from '../graph/storage.js';
import { ImportError } from '../import-error.js';
import type { ImageScale } from '../recipe.js';
import { scaledImage } from './image-input.js';

const image = Uint8Array.of(10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 160, 170, 180);

/** The net's input for an image two high and three wide, as [n,h,w,c]. */
async function seen(scale: ImageScale, images = 1) {
  const builder = new GraphBuilder(true, true);
  const value = asDims(builder, scaledImage(builder, ['free', 'free', 3], scale));
  builder.output('y', value);
  const data = new Uint8Array(18 * images);
  for (let index = 0; index < images; index++) data.set(image, 18 * index);
  const { y } = await runGraph(builder, { image: { dims: [images, 2, 3, 3], data } });
  return { dims: y?.dims, numbers: floats(y) };
}

test('channels are put in order, and each is scaled by its own numbers', async () => {
  const scale: ImageScale = { channels: 'bgr', mean: [30, 20, 10], std: [2, 5, 10] };
  const { dims, numbers } = await seen(scale);
  expect(dims).toEqual([1, 2, 3, 3]);
  [0, 0, 0, 15, 6, 3].forEach((expected, index) => {
    expect(numbers[index]).toBeCloseTo(expected, 5);
  });
});

test('single numbers hold for all channels, and bytes may stay as they are', async () => {
  expect((await seen({ channels: 'rgb', mean: [10], std: [20] })).numbers.slice(0, 3)).toEqual([0, 0.5, 1]);
  expect((await seen({ channels: 'rgb', mean: [0], std: [1] }, 2)).numbers).toEqual([...image, ...image]);
});

test('grey is the luma of BT.601', async () => {
  const { dims, numbers } = await seen({ channels: 'grey', mean: [0], std: [256] });
  expect(dims).toEqual([1, 2, 3, 1]);
  expect(numbers[0]).toBeCloseTo((0.299 * 10 + 0.587 * 20 + 0.114 * 30) / 256, 6);
});

test('a transposed image has x as its first axis', async () => {
  const { dims, numbers } = await seen({ channels: 'rgb', mean: [0], std: [1], transposed: true });
  expect(dims).toEqual([1, 3, 2, 3]);
  expect(numbers.slice(0, 6)).toEqual([10, 20, 30, 100, 110, 120]);
});

test('numbers that are neither one nor one for each channel are refused', async () => {
  await expect(seen({ channels: 'rgb', mean: [1, 2], std: [1] })).rejects.toThrow(ImportError);
  await expect(seen({ channels: 'grey', mean: [0], std: [1, 2, 3] })).rejects.toThrow(
    /3 numbers .* 1 channels/,
  );
});
