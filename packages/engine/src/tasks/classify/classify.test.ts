import { expect, test } from 'vitest';
import type { Image } from '../../image/image.js';
import type { LoadedModel } from '../task.js';
import { classifyRegion } from './classify.js';

const image: Image = {
  kind: 'png',
  width: 64,
  height: 64,
  raster: async ({ width, height }) => new Uint8Array(width * height * 3),
  patch: async () => new Uint8Array(),
};

/** A classifier that answers these probabilities. */
function classifierOf(probabilities: readonly number[]): LoadedModel {
  return {
    ref: { id: 'mine', version: '1', dir: '/nowhere' },
    manifest: {
      id: 'mine',
      version: '1',
      title: 'Mine',
      family: 'classifier',
      input: { fit: 'letterbox', width: 64, height: 64, fill: 114, place: 'centre' },
      labels: ['cat', 'dog'].map((title, index) => ({ id: `mine:${index}`, title })),
    },
    inputs: ['image'],
    run: async () => ({
      probabilities: { data: Float32Array.from(probabilities), dims: [1, probabilities.length] },
    }),
  };
}

test('classes are ranked by their probability', async () => {
  const { classes } = await classifyRegion(classifierOf([0.25, 0.75]), image, 2);
  expect(classes.map(({ label, score }) => [label.title, score])).toEqual([
    ['dog', 0.75],
    ['cat', 0.25],
  ]);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY])(
  'a model that answers %s is named, and no class is answered',
  async (value) => {
    await expect(classifyRegion(classifierOf([0.2, value]), image, 2)).rejects.toMatchObject({
      code: 'image-too-complex',
      message: expect.stringContaining('model mine answers this image with values that are no numbers'),
    });
  },
);
