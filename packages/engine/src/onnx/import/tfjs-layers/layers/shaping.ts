import { elementwise } from '../../../graph/elementwise.js';
import { concat, reshape } from '../../../graph/move.js';
import { asChannelsFirst, asDims } from '../../../graph/storage.js';
import { imageDims } from '../../../graph/window.js';
import { ImportError } from '../../../import-error.js';
import type { LayerWriter } from '../layer.js';
import { activate } from './activation.js';

/** Layers without effect at inference. */
export const pass: LayerWriter = ({ input }) => input;

export const dense: LayerWriter = ({ builder, config, input, weight }) => {
  const kernel = weight('kernel');
  const [inner, units = 0] = kernel.dims;
  const value = asDims(builder, input);
  if (value.dims.at(-1) !== inner)
    throw new ImportError(`[${value.dims}] and [${kernel.dims}] do not multiply`);
  const dims = [...value.dims.slice(0, -1), units];
  const product = builder.node('MatMul', [value, kernel], {}, { type: 'float32', dims });
  const biased = config.flag('use_bias', true)
    ? elementwise(builder, 'Add', [product, weight('bias')])
    : product;
  return activate(builder, biased, config.text('activation', 'linear'));
};

export const flatten: LayerWriter = ({ builder, input }) => {
  const [batch = 1, ...others] = input.dims;
  return reshape(builder, asDims(builder, input), [
    batch,
    others.reduce((product, side) => product * side, 1),
  ]);
};

export const reshapeLayer: LayerWriter = ({ builder, config, input }) =>
  reshape(builder, asDims(builder, input), [input.dims[0] ?? 1, ...config.numbers('target_shape')]);

export const zeroPadding2d: LayerWriter = ({ builder, config, input }) => {
  const [batch, height, width, channels] = imageDims(input);
  const given = config.numbers('padding');
  const [top = 0, bottom = top, left = bottom, right = left] =
    given.length === 2 ? [given[0], given[0], given[1], given[1]].map((side) => side ?? 0) : given;
  if ([top, bottom, left, right].some((side) => side < 0 || side > 8192))
    throw new ImportError(`a padding of [${given}]`);
  const pads = builder.integers([0, 0, top, left, 0, 0, bottom, right], 'pads');
  return builder.node(
    'Pad',
    [asChannelsFirst(builder, input), pads],
    { mode: 'constant' },
    {
      type: 'float32',
      dims: [batch, height + top + bottom, width + left + right, channels],
      storage: 'channels-first',
    },
  );
};

export function globalPooling(op: 'GlobalAveragePool' | 'GlobalMaxPool'): LayerWriter {
  return ({ builder, config, input }) => {
    const [batch, , , channels] = imageDims(input);
    const result = { type: 'float32', dims: [batch, 1, 1, channels], storage: 'channels-first' } as const;
    const pooled = builder.node(op, [asChannelsFirst(builder, input)], {}, result);
    return config.flag('keepdims', false)
      ? pooled
      : reshape(builder, asDims(builder, pooled), [batch, channels]);
  };
}

export function merge(op: 'Add' | 'Mul' | 'Max' | 'Min'): LayerWriter {
  return ({ builder, inputs, input }) =>
    inputs.slice(1).reduce((sum, each) => elementwise(builder, op, [sum, each]), input);
}

export const subtract: LayerWriter = ({ builder, inputs }) => elementwise(builder, 'Sub', inputs);

export const concatenate: LayerWriter = ({ builder, config, inputs }) =>
  concat(builder, inputs, config.number('axis', -1));

export const upSampling2d: LayerWriter = ({ builder, config, input }) => {
  const [batch, height, width, channels] = imageDims(input);
  const [y, x] = config.pair('size', 2);
  const mode = config.text('interpolation', 'nearest') === 'nearest' ? 'nearest' : 'linear';
  const placing =
    mode === 'nearest'
      ? { coordinate_transformation_mode: 'asymmetric', nearest_mode: 'floor' }
      : { coordinate_transformation_mode: 'half_pixel' };
  const scales = builder.constant('float32', [4], Float32Array.of(1, 1, y, x), 'scales');
  return builder.node(
    'Resize',
    [asChannelsFirst(builder, input), null, scales],
    { mode, ...placing },
    { type: 'float32', dims: [batch, height * y, width * x, channels], storage: 'channels-first' },
  );
};

export const rescaling: LayerWriter = ({ builder, config, input }) => {
  const scaled = elementwise(builder, 'Mul', [input, builder.scalar('float32', config.number('scale', 1))]);
  return elementwise(builder, 'Add', [scaled, builder.scalar('float32', config.number('offset', 0))]);
};
