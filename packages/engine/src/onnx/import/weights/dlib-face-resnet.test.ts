import { describe, expect, test } from 'vitest';
import { readWeightsManifest } from '../../build-model.js';
import { floats, runGraph } from '../../fixtures/run-graph.js';
import { GraphBuilder } from '../../graph/graph-builder.js';
import type { Window } from '../../graph/shape.js';
import { asDims } from '../../graph/storage.js';
import type { Value } from '../../graph/value.js';
import { ImportError } from '../../import-error.js';
import { dlibFaceResnet, scaledConvolution } from './dlib-face-resnet.js';

const valid: Window = { kernel: [2, 1], strides: [1, 1], dilations: [1, 1], padding: { kind: 'valid' } };

function layersOf(
  builder: GraphBuilder,
  weights: Readonly<Record<string, readonly [readonly number[], readonly number[]]>>,
): Map<string, Value> {
  const named = Object.entries(weights).map(
    ([name, [dims, data]]) =>
      [name, builder.constant('float32', dims, Float32Array.from(data), name)] as const,
  );
  return new Map(named);
}

/** Two channels in, one filter out: the sum over the upper pixel, twice the lower one. */
const one = {
  'a/conv/filters': [
    [2, 1, 2, 1],
    [1, 1, 2, 2],
  ],
  'a/conv/bias': [[1], [10]],
  'a/scale/weights': [[1], [3]],
  'a/scale/biases': [[1], [-5]],
} as const;

test('a convolution and its scale are one', async () => {
  const builder = new GraphBuilder(false, true);
  const input = builder.input('x', 'float32', ['batch', 2, 2, 2], [1, 2, 2, 2]);
  const y = scaledConvolution(builder, layersOf(builder, one), 'a', input, valid);
  builder.output('y', asDims(builder, y));
  const data = Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8);
  const outputs = await runGraph(builder, { x: { dims: [1, 2, 2, 2], data } });
  const scaled = (sum: number) => (sum + 10) * 3 - 5;
  expect(floats(outputs['y'])).toEqual([scaled(3 + 22), scaled(7 + 30)]);
});

describe('weights that do not fit are refused by name', () => {
  test('one that is missing', () => {
    const builder = new GraphBuilder();
    const input = builder.input('x', 'float32', [1, 2, 2, 2]);
    const layers = layersOf(builder, one);
    layers.delete('a/scale/biases');
    expect(() => scaledConvolution(builder, layers, 'a', input, valid)).toThrow(
      /a\/scale\/biases are missing/,
    );
  });

  test('another net', () => {
    const builder = new GraphBuilder();
    const input = builder.input('x', 'float32', [1, 150, 150, 3]);
    expect(() => dlibFaceResnet(builder, layersOf(builder, one), input)).toThrow(ImportError);
  });

  test.each(['', 'no json', '{}', '[{"weights":[{"name":1}]}]'])('an invalid manifest: %j', (text) => {
    expect(() => readWeightsManifest(Buffer.from(text))).toThrow(ImportError);
  });
});
