import { elementwise } from '../../graph/elementwise.js';
import { mapElements } from '../../graph/fold.js';
import type { GraphBuilder } from '../../graph/graph-builder.js';
import type { Window } from '../../graph/shape.js';
import { asChannelsFirst } from '../../graph/storage.js';
import type { Value } from '../../graph/value.js';
import { convolve, imageDims, pool } from '../../graph/window.js';
import { ImportError } from '../../import-error.js';

/** Weights by their names in the manifest. */
type Layers = ReadonlyMap<string, Value>;

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
  // The smaller of the two is padded with zeros, at the bottom, to the right and in channels.
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

/**
 * A convolution NAME/conv followed by a scale of each channel NAME/scale, as one: (w x + b) s + t = (s w) x + (s b + t).
 * Filters are [h,w,in,out].
 */
export function scaledConvolution(
  builder: GraphBuilder,
  layers: Layers,
  name: string,
  input: Value,
  window: Window,
): Value {
  const [height = 0, width = 0, channels = 0, out = 0] = layers.get(`${name}/conv/filters`)?.dims ?? [];
  if (height !== window.kernel[0] || width !== window.kernel[1])
    throw new ImportError(`the filters ${name} are ${height}x${width}, not ${window.kernel.join('x')}`);
  const filters = numbersOf(layers, `${name}/conv/filters`, height * width * channels * out);
  const [bias, factor, shift] = ['conv/bias', 'scale/weights', 'scale/biases'].map((part) =>
    numbersOf(layers, `${name}/${part}`, out),
  );
  const dims = [out, channels, height, width];
  const turned = mapElements(
    filters,
    dims,
    ([o = 0, i = 0, y = 0, x = 0]) => ((y * width + x) * channels + i) * out + o,
  );
  const perFilter = channels * height * width;
  const scaled = Float32Array.from<number | bigint>(
    turned,
    (weight, index) => Number(weight) * (factor?.[Math.floor(index / perFilter)] ?? 1),
  );
  const biases = Float32Array.from(bias ?? [], (each, o) => each * (factor?.[o] ?? 1) + (shift?.[o] ?? 0));
  const weights = builder.constant('float32', dims, scaled, name);
  return convolve(
    builder,
    input,
    weights,
    builder.constant('float32', [out], biases, `${name}/bias`),
    window,
    1,
  );
}

function numbersOf(layers: Layers, name: string, count: number): Float32Array {
  const { constant } = layers.get(name) ?? {};
  if (constant instanceof Float32Array && constant.length === count) return constant;
  throw new ImportError(`the weights ${name} are missing or have another shape`);
}
