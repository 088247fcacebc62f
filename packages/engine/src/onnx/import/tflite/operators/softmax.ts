import { elementwise } from '../../../graph/elementwise.js';
import { asDims } from '../../../graph/storage.js';
import type { Operator } from '../operator.js';

/** Over the last dim, of `beta` x the input. */
export const softmax: Operator = {
  name: 'SOFTMAX',
  write({ builder, input, options }) {
    const beta = options?.float(0, 1) ?? 1;
    const value = asDims(builder, input(0));
    const scaled =
      beta === 1 ? value : elementwise(builder, 'Mul', [value, builder.scalar('float32', beta, 'beta')]);
    return builder.node('Softmax', [scaled], { axis: -1 }, { type: 'float32', dims: value.dims });
  },
};
