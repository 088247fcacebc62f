import type { Window } from '../../../graph/shape.js';
import type { Value } from '../../../graph/value.js';
import { convolve, imageDims } from '../../../graph/window.js';
import { ImportError } from '../../../import-error.js';
import type { FlatTable } from '../flat-table.js';
import type { NodeContext, Operator } from '../operator.js';
import { activate } from './activation.js';

/** Weights [out,h,w,in]. Options: padding, stride w, stride h, activation, dilation w, dilation h. */
export const conv2d: Operator = {
  name: 'CONV_2D',
  write(context) {
    const [out, height, width, channels] = weightDims(context);
    const weights = context.weights(1, {
      dims: [out, channels, height, width],
      sourceOf: ([o = 0, i = 0, y = 0, x = 0]) => ((o * height + y) * width + x) * channels + i,
      axis: 0,
    });
    const { builder, options } = context;
    const window = readWindow(options, [height, width], [4, 5]);
    const result = convolve(builder, context.input(0), weights, biasOf(context, out), window, 1);
    return activate(builder, result, options?.byte(3, 0) ?? 0);
  },
};

/** Weights [1,h,w,out]. Options: padding, stride w, stride h, multiplier, activation, dilation w, dilation h. */
export const depthwiseConv2d: Operator = {
  name: 'DEPTHWISE_CONV_2D',
  write(context) {
    const [one, height, width, out] = weightDims(context);
    if (one !== 1) throw new ImportError('depthwise weights must be [1,height,width,channels]');
    const weights = context.weights(1, {
      dims: [out, 1, height, width],
      sourceOf: ([o = 0, , y = 0, x = 0]) => (y * width + x) * out + o,
      axis: 0,
    });
    const { builder, options } = context;
    const input = context.input(0);
    const window = readWindow(options, [height, width], [5, 6]);
    const result = convolve(builder, input, weights, biasOf(context, out), window, imageDims(input)[3]);
    return activate(builder, result, options?.byte(4, 0) ?? 0);
  },
};

/** The bias at input 2, or null. */
export function biasOf(context: NodeContext, channels: number): Value | null {
  if (!context.has(2)) return null;
  if (context.tensor(2).dims.join() !== String(channels))
    throw new ImportError('its bias does not fit its weights');
  return context.weights(2, { dims: [channels], sourceOf: ([at = 0]) => at, axis: 0 });
}

/** Padding and strides are the first three options of convolutions and pools alike. */
export function readWindow(
  options: FlatTable | undefined,
  kernel: readonly [number, number],
  dilationFields?: readonly [number, number],
): Window {
  const positive = (field: number, absent: number) => {
    const value = options?.integer(field, absent) ?? absent;
    if (value < 1 || value > 4096) throw new ImportError(`a stride or dilation of ${value}`);
    return value;
  };
  const [dilationX, dilationY] = dilationFields?.map((field) => positive(field, 1)) ?? [];
  return {
    kernel,
    strides: [positive(2, 1), positive(1, 1)],
    dilations: [dilationY ?? 1, dilationX ?? 1],
    padding: { kind: (options?.byte(0, 0) ?? 0) === 0 ? 'same' : 'valid' },
  };
}

function weightDims(context: NodeContext): [number, number, number, number] {
  const { dims } = context.tensor(1);
  const [a, b, c, d, more] = dims;
  if (a === undefined || b === undefined || c === undefined || d === undefined || more !== undefined) {
    throw new ImportError(`weights of shape [${dims}] are not those of a convolution`);
  }
  return [a, b, c, d];
}
