import { reshape } from '../../../graph/move.js';
import { ImportError } from '../../../import-error.js';
import type { Operator } from '../operator.js';
import { activate } from './activation.js';
import { biasOf } from './convolution.js';

/** Weights [out,in]. Options: activation, format of the weights, keep dims. */
export const fullyConnected: Operator = {
  name: 'FULLY_CONNECTED',
  write(context) {
    const { builder, options } = context;
    const [out, inner, more] = context.tensor(1).dims;
    if (out === undefined || inner === undefined || more !== undefined || (options?.byte(1, 0) ?? 0) !== 0) {
      throw new ImportError('its weights must be a plain matrix [out,in]');
    }
    const rows = reshape(builder, context.input(0), [-1, inner]);
    const sourceOf = ([o = 0, i = 0]: readonly number[]) => o * inner + i;
    const weights = context.weights(1, { dims: [out, inner], sourceOf, axis: 0 });
    const bias = biasOf(context, out);
    const product = builder.node(
      'Gemm',
      [rows, weights, ...(bias === null ? [] : [bias])],
      { transB: 1 },
      {
        type: 'float32',
        dims: [rows.dims[0] ?? 1, out],
      },
    );
    return activate(builder, reshape(builder, product, context.output.dims), options?.byte(0, 0) ?? 0);
  },
};
