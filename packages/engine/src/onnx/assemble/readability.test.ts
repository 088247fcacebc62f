import { expect, test } from 'vitest';
import type { Model } from '../proto/model.js';
import { withReadability } from './readability.js';

const floats = (...numbers: number[]) => new Uint8Array(Float32Array.from(numbers).buffer);
const model: Model = {
  graph: {
    node: [{ opType: 'Transpose', input: ['x'], output: ['features'] }],
    output: [{ name: 'probabilities' }],
  },
};
const recipe = { asset: { path: 'letters/x.bin', sha256: '' }, features: 'features', hidden: 2 };

test('the log odds are an output behind that of the net, by two layers over its features', () => {
  // Three features, two hidden units: their weights and biases, then those of the output.
  const changed = withReadability(model, recipe, floats(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
  const { node = [], output = [], initializer = [] } = changed.graph;
  expect(output.map(({ name }) => name)).toEqual(['probabilities', 'lynceus/readability/log-odds']);
  expect(node.map(({ opType }) => opType)).toEqual(['Transpose', 'MatMul', 'Add', 'Relu', 'MatMul', 'Add']);
  const numbers = initializer.map(({ dims, rawData }) => [
    dims?.map(Number),
    ...new Float32Array(new Uint8Array(rawData ?? []).buffer),
  ]);
  expect(numbers).toEqual([
    [[3, 2], 1, 2, 3, 4, 5, 6],
    [[2], 7, 8],
    [[2], 9, 10],
    [[1], 11],
  ]);
});

test('numbers that fit no layer, and features that the net does not have, are refused', () => {
  expect(() => withReadability(model, recipe, floats(1, 2, 3, 4))).toThrow('do not fit');
  expect(() => withReadability(model, { ...recipe, features: 'others' }, floats(1, 2, 3, 4, 5))).toThrow(
    'no value named others',
  );
});
