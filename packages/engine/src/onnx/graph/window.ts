import { ImportError } from '../import-error.js';
import type { Attributes, GraphBuilder } from './graph-builder.js';
import { type Window, windowedSize } from './shape.js';
import { asChannelsFirst } from './storage.js';
import type { Value } from './value.js';

/**
 * Attributes that ONNX's convolutions and pools share, for a map of `height` x `width`. SAME becomes pads in numbers
 * where it can, because ONNX Runtime keeps its fast memory order only where it can follow the shapes. Its odd element
 * goes to the bottom and the right (`SAME_UPPER`).
 */
export function windowAttributes(
  builder: GraphBuilder,
  window: Window,
  height: number,
  width: number,
): Attributes {
  const { kernel, strides, dilations, padding } = window;
  const common = { kernel_shape: kernel, strides, dilations };
  if (padding.kind === 'valid') return { ...common, pads: [0, 0, 0, 0] };
  if (padding.kind === 'explicit') return { ...common, pads: padding.pads };
  // A free size keeps the pads of the declared one only as long as the strides divide it.
  const divides = height % strides[0] === 0 && width % strides[1] === 0;
  if (builder.freeSize && !divides) return { ...common, auto_pad: 'SAME_UPPER' };
  const total = (length: number, axis: 0 | 1) => {
    const reach = (kernel[axis] - 1) * dilations[axis] + 1;
    return Math.max(0, (Math.ceil(length / strides[axis]) - 1) * strides[axis] + reach - length);
  };
  const [y, x] = [total(height, 0), total(width, 1)];
  return { ...common, pads: [Math.floor(y / 2), Math.floor(x / 2), Math.ceil(y / 2), Math.ceil(x / 2)] };
}

/** A rank-4 value's sides as batch, height, width, channels. */
export function imageDims(value: Value): [number, number, number, number] {
  const [batch, height, width, channels, more] = value.dims;
  if (
    batch === undefined ||
    height === undefined ||
    width === undefined ||
    channels === undefined ||
    more !== undefined
  ) {
    throw new ImportError(`expected four dims [n,h,w,c], not [${value.dims}]`);
  }
  return [batch, height, width, channels];
}

/**
 * Convolution of [n,h,w,c].
 * @param weights [out, in / groups, kernel height, kernel width], as ONNX has them.
 */
export function convolve(
  builder: GraphBuilder,
  input: Value,
  weights: Value,
  bias: Value | null,
  window: Window,
  groups: number,
): Value {
  const [batch, height, width, channels] = imageDims(input);
  const [out = 0, inPerGroup = 0] = weights.dims;
  if (inPerGroup * groups !== channels || out % groups !== 0 || out === 0) {
    throw new ImportError(
      `weights [${weights.dims}] in ${groups} groups do not fit an input of [${input.dims}]`,
    );
  }
  const { factor = 1, ...plain } = input;
  const inputs = [
    asChannelsFirst(builder, plain),
    scaled(builder, weights, factor),
    ...(bias === null ? [] : [bias]),
  ];
  const attributes = { ...windowAttributes(builder, window, height, width), group: groups };
  return builder.node('Conv', inputs, attributes, {
    type: 'float32',
    dims: [batch, ...windowedSize(window, height, width), out],
    storage: 'channels-first',
  });
}

function scaled(builder: GraphBuilder, weights: Value, factor: number): Value {
  const { constant } = weights;
  if (factor === 1) return weights;
  if (!(constant instanceof Float32Array)) return { ...weights, factor };
  return builder.constant(
    'float32',
    weights.dims,
    constant.map((weight) => weight * factor),
    weights.name,
  );
}

/** Pooling of [n,h,w,c]; an average leaves the padding out of its count. */
export function pool(
  builder: GraphBuilder,
  kind: 'MaxPool' | 'AveragePool',
  input: Value,
  window: Window,
): Value {
  const [batch, height, width, channels] = imageDims(input);
  // Dilation of an average pool came with a later opset; ours is always 1.
  const { dilations: _, ...attributes } = windowAttributes(builder, window, height, width);
  return builder.node(kind, [asChannelsFirst(builder, input)], attributes, {
    type: input.type,
    dims: [batch, ...windowedSize(window, height, width), channels],
    storage: 'channels-first',
  });
}
