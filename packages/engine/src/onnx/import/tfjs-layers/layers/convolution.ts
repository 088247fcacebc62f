import { mapElements } from '../../../graph/fold.js';
import type { GraphBuilder } from '../../../graph/graph-builder.js';
import type { Window } from '../../../graph/shape.js';
import { asChannelsFirst } from '../../../graph/storage.js';
import type { Value } from '../../../graph/value.js';
import { convolve, imageDims, pool } from '../../../graph/window.js';
import { ImportError } from '../../../import-error.js';
import type { LayerContext, LayerWriter } from '../layer.js';
import { activate } from './activation.js';

export const conv2d: LayerWriter = (context) => {
  const { builder, input, weight } = context;
  const kernel = rearrange(builder, weight('kernel'), false);
  return finish(
    context,
    convolve(builder, input, kernel, biasOf(context), windowOf(context), groupsOf(context)),
  );
};

export const depthwiseConv2d: LayerWriter = (context) => {
  const { builder, input, weight } = context;
  const kernel = rearrange(builder, weight('depthwise_kernel'), true);
  return finish(
    context,
    convolve(builder, input, kernel, biasOf(context), windowOf(context), imageDims(input)[3]),
  );
};

export const separableConv2d: LayerWriter = (context) => {
  const { builder, input, weight } = context;
  const depthwise = rearrange(builder, weight('depthwise_kernel'), true);
  const pointwise = rearrange(builder, weight('pointwise_kernel'), false);
  const spread = convolve(builder, input, depthwise, null, windowOf(context), imageDims(input)[3]);
  const one: Window = { kernel: [1, 1], strides: [1, 1], dilations: [1, 1], padding: { kind: 'valid' } };
  return finish(context, convolve(builder, spread, pointwise, biasOf(context), one, 1));
};

export function pooling(kind: 'MaxPool' | 'AveragePool'): LayerWriter {
  return (context) => {
    const kernel = context.config.pair('pool_size', 2);
    const { padding } = windowOf(context);
    const strides = context.config.has('strides') ? context.config.pair('strides', 1) : kernel;
    return pool(context.builder, kind, context.input, { kernel, strides, dilations: [1, 1], padding });
  };
}

export const batchNormalization: LayerWriter = ({ builder, config, input, weight }) => {
  const { dims } = input;
  const channels = dims.at(-1) ?? 0;
  const axis = config.has('axis') ? (config.numbers('axis')[0] ?? -1) : -1;
  if (axis !== -1 && axis !== dims.length - 1)
    throw new ImportError(`it works along axis ${axis}, not the last one`);
  const filled = (value: number) =>
    builder.constant('float32', [channels], new Float32Array(channels).fill(value), 'filled');
  const inputs = [
    config.flag('scale', true) ? weight('gamma') : filled(1),
    config.flag('center', true) ? weight('beta') : filled(0),
    weight('moving_mean'),
    weight('moving_variance'),
  ];
  const attributes = { epsilon: { float: config.number('epsilon', 1e-3) } };
  if (dims.length === 2)
    return builder.node('BatchNormalization', [input, ...inputs], attributes, { type: 'float32', dims });
  imageDims(input);
  const result = { type: 'float32', dims, storage: 'channels-first' } as const;
  return builder.node('BatchNormalization', [asChannelsFirst(builder, input), ...inputs], attributes, result);
};

function windowOf({ config }: LayerContext): Window {
  if (config.text('data_format', 'channels_last') !== 'channels_last')
    throw new ImportError('only channels_last is supported');
  const padding = config.text('padding', 'valid');
  if (padding !== 'same' && padding !== 'valid')
    throw new ImportError(`padding ${padding.slice(0, 40)} is not supported`);
  return {
    kernel: config.pair('kernel_size', 1),
    strides: config.pair('strides', 1),
    dilations: config.pair('dilation_rate', 1),
    padding: { kind: padding },
  };
}

function groupsOf({ config }: LayerContext): number {
  return config.number('groups', 1);
}

function biasOf({ config, weight }: LayerContext): Value | null {
  return config.flag('use_bias', true) ? weight('bias') : null;
}

function finish({ builder, config }: LayerContext, value: Value): Value {
  return activate(builder, value, config.text('activation', 'linear'));
}

/** [h,w,in,out] to [out,in,h,w]; depthwise [h,w,in,multiplier] to [in x multiplier,1,h,w]. */
function rearrange(builder: GraphBuilder, kernel: Value, depthwise: boolean): Value {
  const [height = 0, width = 0, channels = 0, out = 0] = kernel.dims;
  if (kernel.dims.length !== 4 || kernel.constant === undefined)
    throw new ImportError(`its kernel has the shape [${kernel.dims}]`);
  const dims = depthwise ? [channels * out, 1, height, width] : [out, channels, height, width];
  const data = mapElements(kernel.constant, dims, ([o = 0, i = 0, y = 0, x = 0]) => {
    const pixel = (y * width + x) * channels * out;
    return depthwise ? pixel + o : pixel + i * out + o;
  });
  return builder.constant('float32', dims, data, kernel.name);
}
