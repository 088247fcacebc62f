import { elementwise } from '../../../graph/elementwise.js';
import { mapElements } from '../../../graph/fold.js';
import type { GraphBuilder } from '../../../graph/graph-builder.js';
import type { Padding, Window } from '../../../graph/shape.js';
import type { Value } from '../../../graph/value.js';
import { convolve } from '../../../graph/window.js';
import { ImportError } from '../../../import-error.js';
import type { NodeContext, Operator } from '../operator.js';
import { applyFused } from './fused.js';

/** Conv2D, its depthwise sibling, and both with BiasAdd and an activation fused in. */
export const conv2d: Operator = (context) => convolution(context, false);
export const depthwiseConv2d: Operator = (context) => convolution(context, true);

function convolution(context: NodeContext, depthwise: boolean): Value {
  const { builder } = context;
  const input = context.input(0);
  const [height = 0, width = 0, channels = 0, out = 0] = context.input(1).dims;
  const weights = toChannelsFirst(builder, context.input(1), depthwise);
  const window: Window = { kernel: [height, width], ...readWindow(context) };
  const groups = depthwise ? channels : 1;
  if (out < 1) throw new ImportError(`weights of shape [${context.input(1).dims}] do not make a convolution`);
  return applyFused(context, 2, (bias) => convolve(builder, input, weights, bias, window, groups));
}

/** [h,w,in,out] to [out,in,h,w]; depthwise [h,w,in,multiplier] to [in x multiplier,1,h,w]. */
function toChannelsFirst(builder: GraphBuilder, weights: Value, depthwise: boolean): Value {
  const [height, width, channels, out, more] = weights.dims;
  const { constant } = weights;
  if (constant === undefined || weights.type !== 'float32')
    throw new ImportError('its weights must be constant floats');
  if (
    height === undefined ||
    width === undefined ||
    channels === undefined ||
    out === undefined ||
    more !== undefined
  ) {
    throw new ImportError(`weights of shape [${weights.dims}] are not [height,width,in,out]`);
  }
  const dims = depthwise ? [channels * out, 1, height, width] : [out, channels, height, width];
  const data = mapElements(constant, dims, ([o = 0, i = 0, y = 0, x = 0]) => {
    const pixel = (y * width + x) * channels * out;
    return depthwise ? pixel + o : pixel + i * out + o;
  });
  return builder.constant('float32', dims, data, weights.name);
}

/** Strides, dilations and padding as convolutions and pools declare them, height and width only. */
export function readWindow({ attributes }: NodeContext): Omit<Window, 'kernel'> {
  if (attributes.text('data_format', 'NHWC') !== 'NHWC')
    throw new ImportError('only the NHWC data format is supported');
  return {
    strides: heightWidth(attributes.integers('strides')),
    dilations: heightWidth(attributes.integers('dilations')),
    padding: readPadding(attributes.text('padding', 'VALID'), attributes.integers('explicit_paddings')),
  };
}

/** The middle two of four; 1 when absent. */
export function heightWidth(list: readonly number[]): [number, number] {
  const [batch = 1, height = 1, width = 1, channels = 1] = list;
  if (batch !== 1 || channels !== 1 || !isStep(height) || !isStep(width)) {
    throw new ImportError(`[${list}] is not [1,height,width,1]`);
  }
  return [height, width];
}

function isStep(step: number): boolean {
  return Number.isInteger(step) && step >= 1 && step <= 4096;
}

function readPadding(kind: string, explicit: readonly number[]): Padding {
  if (kind === 'SAME') return { kind: 'same' };
  if (kind === 'VALID') return { kind: 'valid' };
  const [, , top, bottom, left, right] = explicit;
  if (
    kind !== 'EXPLICIT' ||
    top === undefined ||
    bottom === undefined ||
    left === undefined ||
    right === undefined
  ) {
    throw new ImportError(`padding ${kind} is not supported`);
  }
  return { kind: 'explicit', pads: [top, left, bottom, right] };
}

/** BiasAdd: a value for every channel, the last dim. */
export const biasAdd: Operator = ({ builder, input }) =>
  elementwise(builder, 'Add', [input(0), input(1)], { compute: (a, b) => (a ?? 0) + (b ?? 0) });
