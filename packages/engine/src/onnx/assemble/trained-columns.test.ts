import { expect, test } from 'vitest';
import type { Model } from '../proto/model.js';
import { withTrainedColumns } from './trained-columns.js';

const floats = (...numbers: number[]) => new Uint8Array(Float32Array.from(numbers).buffer);
/** Two features, three columns; the biases are the value of a node, as some converters write constants. */
const model: Model = {
  graph: {
    initializer: [{ name: 'w', dims: [2n, 3n], dataType: 1, rawData: floats(1, 2, 3, 4, 5, 6) }],
    node: [
      {
        opType: 'Constant',
        output: ['b'],
        attribute: [{ name: 'value', type: 4, t: { dims: [3n], dataType: 1, rawData: floats(7, 8, 9) } }],
      },
      { opType: 'Add', input: ['x', 'b'], output: ['y'] },
    ],
  },
};
const recipe = { asset: { path: 'letters/x.bin', sha256: '' }, weights: 'w', biases: 'b' };
const numbersOf = (changed: Model, name: string) => {
  const tensor = changed.graph.initializer?.find((known) => known.name === name);
  return [...new Float32Array(new Uint8Array(tensor?.rawData ?? []).buffer)];
};

test('a column is replaced, another one appended, and the rest stays', () => {
  // Two rows of two features, then two biases.
  const asset = floats(10, 20, 30, 40, 50, 60);
  const changed = withTrainedColumns(model, { ...recipe, columns: [1, 3] }, asset);
  expect(numbersOf(changed, 'w')).toEqual([1, 10, 3, 30, 4, 20, 6, 40]);
  expect(numbersOf(changed, 'b')).toEqual([7, 50, 9, 60]);
  expect(changed.graph.node?.map(({ opType }) => opType)).toEqual(['Add']);
});

test.each([
  ['rows that are too short', floats(1, 2), [1], 'do not fit'],
  ['columns with a gap', floats(1, 2, 3), [5], 'leave gaps'],
])('%s are refused', (_, asset, columns, message) => {
  expect(() => withTrainedColumns(model, { ...recipe, columns }, asset)).toThrow(message);
});

test('a layer that the net does not have is refused', () => {
  expect(() => withTrainedColumns(model, { ...recipe, weights: 'v', columns: [1] }, floats(1, 2, 3))).toThrow(
    'no constant named v',
  );
});
