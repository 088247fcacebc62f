import { elementwise } from '../../graph/elementwise.js';
import type { GraphBuilder } from '../../graph/graph-builder.js';
import type { Window } from '../../graph/shape.js';
import { asChannelsFirst } from '../../graph/storage.js';
import type { Value } from '../../graph/value.js';
import { imageDims, pool } from '../../graph/window.js';
import { ImportError } from '../../import-error.js';
import { type Layers, scaledConvolution } from './layers.js';

/** Residual blocks in their order; those that go `down` halve the map. */
const blocks = [
  'conv32_1',
  'conv32_2',
  'conv32_3',
  'conv64_down',
  'conv64_1',
  'conv64_2',
  'conv64_3',
  'conv128_down',
  'conv128_1',
  'conv128_2',
  'conv256_down',
  'conv256_1',
  'conv256_2',
  'conv256_down_out',
] as const;

/**
 * The face recognition network of dlib (D. King, `dnn_face_recognition_ex.cpp`), 29 convolutions with residuals, as
 * face-api.js stores its weights.
 * @param image RGB [n,150,150,3], (x - (122.782, 117.001, 104.298)) / 256.
 * @returns [n,128]
 */
export function dlibFaceResnet(builder: GraphBuilder, layers: Layers, image: Value): Value {
  const halved: Window = { kernel: [3, 3], strides: [2, 2], dilations: [1, 1], padding: { kind: 'valid' } };
  const first = scaledConvolution(builder, layers, 'conv32_down', image, { ...halved, kernel: [7, 7] });
  const start = pool(builder, 'MaxPool', relu(builder, first), halved);
  const last = blocks.reduce((value, name) => residual(builder, layers, name, value), start);
  const [batch, , , channels] = imageDims(last);
  const mean = builder.node('GlobalAveragePool', [asChannelsFirst(builder, last)], {}, last);
  const float = { type: 'float32', dims: [batch, channels] } as const;
  const flat = builder.node('Flatten', [mean], { axis: 1 }, float);
  const weights = layers.get('fc');
  const [rows, columns = 0] = weights?.dims ?? [];
  if (weights === undefined || rows !== channels)
    throw new ImportError(`the weights fc are not [${channels},n]`);
  return builder.node('MatMul', [flat, weights], {}, { type: 'float32', dims: [batch, columns] });
}

function residual(builder: GraphBuilder, layers: Layers, name: (typeof blocks)[number], input: Value): Value {
  const down = name.includes('_down');
  const steady: Window = { kernel: [3, 3], strides: [1, 1], dilations: [1, 1], padding: { kind: 'same' } };
  const halved: Window = { ...steady, strides: [2, 2], padding: { kind: 'valid' } };
  const inner = scaledConvolution(builder, layers, `${name}/conv1`, input, down ? halved : steady);
  const outer = scaledConvolution(builder, layers, `${name}/conv2`, relu(builder, inner), steady);
  if (!down) return relu(builder, elementwise(builder, 'Add', [outer, input]));
  const passed = pool(builder, 'AveragePool', input, { ...halved, kernel: [2, 2] });
  // The smaller of the two is filled up with zeros, at the bottom, to the right and in channels.
  const dims = passed.dims.map((side, axis) => Math.max(side, outer.dims[axis] ?? 0));
  const both = [fillUp(builder, outer, dims), fillUp(builder, passed, dims)];
  return relu(builder, elementwise(builder, 'Add', both));
}

function fillUp(builder: GraphBuilder, value: Value, dims: readonly number[]): Value {
  const [, height = 0, width = 0, channels = 0] = dims.map((side, axis) => side - (value.dims[axis] ?? 0));
  if (height + width + channels === 0) return value;
  const pads = builder.integers([0, 0, 0, 0, 0, channels, height, width], 'pads');
  const stored = asChannelsFirst(builder, value);
  return builder.node('Pad', [stored, pads], {}, { type: 'float32', dims, storage: 'channels-first' });
}

function relu(builder: GraphBuilder, value: Value): Value {
  return elementwise(builder, 'Relu', [value]);
}
