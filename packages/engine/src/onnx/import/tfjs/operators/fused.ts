import { clip, elementwise } from '../../../graph/elementwise.js';
import type { GraphBuilder } from '../../../graph/graph-builder.js';
import type { Value } from '../../../graph/value.js';
import { ImportError } from '../../../import-error.js';
import type { NodeContext } from '../operator.js';
import { prelu } from './activation.js';

/**
 * Bias and activation of a fused node (`_FusedConv2D`, `_FusedMatMul`, …), listed in `fused_ops`.
 * @param first Index of the first input that belongs to them.
 * @param write Writes the node itself, with the bias or null.
 */
export function applyFused(context: NodeContext, first: number, write: (bias: Value | null) => Value): Value {
  const { builder, attributes, input } = context;
  const steps = attributes.texts('fused_ops').filter((step) => step !== 'NoOp');
  const hasBias = steps[0] === 'BiasAdd';
  const activations = hasBias ? steps.slice(1) : steps;
  const value = write(hasBias ? flat(builder, input(first)) : null);
  return activations.reduce((result, step) => activate(context, step, result, first + 1), value);
}

/** A bias may come as [1,1,1,c]. */
function flat(builder: GraphBuilder, bias: Value): Value {
  if (bias.constant === undefined) throw new ImportError('its bias must be a constant');
  return builder.constant(bias.type, [bias.constant.length], bias.constant, bias.name);
}

function activate(
  { builder, attributes, input }: NodeContext,
  step: string,
  value: Value,
  next: number,
): Value {
  switch (step) {
    case 'Relu':
      return elementwise(builder, 'Relu', [value]);
    case 'Relu6':
      return clip(builder, value, 0, 6);
    case 'Elu':
    case 'Sigmoid':
      return elementwise(builder, step, [value]);
    case 'LeakyRelu':
      return elementwise(builder, step, [value], {
        attributes: { alpha: { float: attributes.float('leakyrelu_alpha', 0.2) } },
      });
    case 'Prelu':
      return prelu(builder, value, input(next));
    default:
      throw new ImportError(`the fused step ${step} is not supported`);
  }
}
