import { clip, elementwise } from '../../../graph/elementwise.js';
import type { GraphBuilder } from '../../../graph/graph-builder.js';
import { asDims } from '../../../graph/storage.js';
import type { Value } from '../../../graph/value.js';
import { ImportError } from '../../../import-error.js';
import type { LayerWriter } from '../layer.js';

const plain: Readonly<Record<string, string>> = {
  relu: 'Relu',
  sigmoid: 'Sigmoid',
  tanh: 'Tanh',
  elu: 'Elu',
  selu: 'Selu',
  softplus: 'Softplus',
  softsign: 'Softsign',
};

/** An activation by Keras' name. */
export function activate(builder: GraphBuilder, value: Value, name: string): Value {
  const op = plain[name];
  if (op !== undefined) return elementwise(builder, op, [value]);
  switch (name) {
    case 'linear':
      return value;
    case 'relu6':
      return clip(builder, value, 0, 6);
    case 'softmax':
      return builder.node(
        'Softmax',
        [asDims(builder, value)],
        { axis: -1 },
        { type: 'float32', dims: value.dims },
      );
    case 'swish':
    case 'silu':
      return elementwise(builder, 'Mul', [value, elementwise(builder, 'Sigmoid', [value])]);
    case 'hard_sigmoid':
    case 'hardSigmoid':
      return elementwise(builder, 'HardSigmoid', [value], {
        attributes: { alpha: { float: 0.2 }, beta: { float: 0.5 } },
      });
    default:
      throw new ImportError(`the activation ${name.slice(0, 40)} is not supported`);
  }
}

export const activation: LayerWriter = ({ builder, config, input }) =>
  activate(builder, input, config.text('activation', 'linear'));

export const softmax: LayerWriter = ({ builder, config, input }) => {
  const axis = config.number('axis', -1);
  if (axis !== -1 && axis !== input.dims.length - 1) throw new ImportError(`a softmax over axis ${axis}`);
  return activate(builder, input, 'softmax');
};

export const relu: LayerWriter = ({ builder, config, input }) => {
  if (config.number('threshold', 0) !== 0) throw new ImportError('its threshold is not 0');
  const slope = config.number('negative_slope', 0);
  const value =
    slope === 0
      ? elementwise(builder, 'Relu', [input])
      : elementwise(builder, 'LeakyRelu', [input], { attributes: { alpha: { float: slope } } });
  if (!config.has('max_value')) return value;
  const most = config.number('max_value', 6);
  return slope === 0 ? clip(builder, input, 0, most) : clip(builder, value, -3e38, most);
};

export const leakyRelu: LayerWriter = ({ builder, config, input }) =>
  elementwise(builder, 'LeakyRelu', [input], {
    attributes: { alpha: { float: config.number('alpha', 0.3) } },
  });

export const prelu: LayerWriter = ({ builder, input, weight }) =>
  elementwise(builder, 'PRelu', [input, weight('alpha')]);
