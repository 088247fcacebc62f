import { writeNet } from '#server/training/models/fixtures/write-net.js';

const dark = 0.9;
const sideOfWhite = 2000;

/**
 * A classifier that multiplies large matrices for a white image, about a second of processor time, and does next to nothing for those of
 * a trial. It wants bytes from 0 to 1.
 */
export function heavyOnnx(scores: readonly [number, number]): Buffer {
  const products = Array.from({ length: 4 }, (_, index) => ({
    op: 'MatMul',
    from: [`matrix${index}`, 'matrix0'],
    to: `matrix${index + 1}`,
  }));
  return writeNet(
    [1, 2],
    [
      { name: 'dark', dims: [], numbers: [dark] },
      { name: 'sides', dims: [2], numbers: [sideOfWhite / (1 - dark), sideOfWhite / (1 - dark)] },
      { name: 'one', dims: [], numbers: [1] },
      { name: 'scores', dims: [1, 2], numbers: scores },
    ],
    [
      { op: 'ReduceMean', from: ['images'], to: 'mean', ints: { keepdims: 0, axes: [1, 2, 3] } },
      { op: 'Sub', from: ['mean', 'dark'], to: 'above' },
      { op: 'Relu', from: ['above'], to: 'light' },
      { op: 'Mul', from: ['light', 'sides'], to: 'large' },
      { op: 'Add', from: ['large', 'one'], to: 'numbers' },
      { op: 'Cast', from: ['numbers'], to: 'shape', ints: { to: 7 } },
      { op: 'ConstantOfShape', from: ['shape'], to: 'matrix0' },
      ...products,
      { op: 'ReduceMean', from: [`matrix${products.length}`], to: 'last', ints: { keepdims: 0 } },
      { op: 'Add', from: ['scores', 'last'], to: 'y' },
    ],
  );
}
