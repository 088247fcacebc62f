import { expect, test } from 'vitest';
import { openProducts } from '../products.js';
import { crossValidate } from './cross-validate.js';
import type { ExtractedImage } from './extract-anchors.js';
import { quarters, quartersBackbone } from './fixtures/quarters.js';

/** Three features: object, photograph, and always 1. */
const backbone = quartersBackbone(3);

/** An image with the object in one quarter. */
function showing(cell: number): ExtractedImage {
  const features = quarters.flatMap((_, index) => [Number(index === cell), 0, 1]);
  const anchors = { levels: [Float32Array.from(features)], corners: Float32Array.from(quarters.flat()) };
  const box = quarters[cell] ?? quarters[0];
  return {
    image: { id: String(cell), path: '', sha256: '', split: 'train', boxes: [] },
    width: 100,
    height: 100,
    truths: [{ label: 0, corners: box }],
    anchors: () => anchors,
  };
}

/** A view of a photograph of something that looks like the object, but for a feature that only this photograph has. */
function view(photo: number, isAlike: boolean) {
  const cell = isAlike ? [1, 1, 1] : [0, 0, 1];
  return { photo, weight: isAlike ? 1 : 0.5, levels: [Float32Array.from(quarters.flatMap(() => cell))] };
}

test('a background is judged by heads that were trained on no view of the same photograph', async () => {
  const products = await openProducts();
  const folds = await crossValidate(backbone, {
    products,
    images: Array.from({ length: 16 }, (_, index) => showing(index % 4)),
    backgrounds: [
      view(4, true),
      view(4, true),
      view(4, true),
      view(4, true),
      ...[1, 2, 3].map((photo) => view(photo, false)),
    ],
    labels: 1,
    seed: 1,
    folds: 4,
    share: 1,
    onStep() {},
  }).finally(() => products.close());
  const images = folds.flatMap((fold) => fold.images);
  const backgrounds = folds.flatMap((fold) => fold.backgrounds);
  for (const { seen, images: unseen } of folds)
    expect(seen.filter((image) => unseen.some((one) => one.image === image))).toEqual([]);
  expect(images).toHaveLength(16);
  const alike = backgrounds.filter(({ weight }) => weight === 1).map(({ highest }) => highest);
  const others = backgrounds.filter(({ weight }) => weight === 0.5).map(({ highest }) => highest);
  expect([alike.length, others.length]).toEqual([4, 3]);
  const object = Math.min(...images.map(({ found }) => found[0]?.score ?? Number.NEGATIVE_INFINITY));
  // With a view of it in the training, the feature of the photograph would count against the object.
  expect(Math.min(...alike)).toBeGreaterThan(object - 0.5);
  expect(Math.max(...others)).toBeLessThan(object - 0.5);
});
