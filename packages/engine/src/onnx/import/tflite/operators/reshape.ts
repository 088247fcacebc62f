import { reshape } from '../../../graph/move.js';
import type { Operator } from '../operator.js';

/** The new shape is that which the file declares for the output. */
function reshaping(name: string): Operator {
  return {
    name,
    keepsRange: true,
    write: ({ builder, input, output }) => reshape(builder, input(0), output.dims),
  };
}

export const reshapeOperator = reshaping('RESHAPE');
export const squeeze = reshaping('SQUEEZE');
export const expandDims = reshaping('EXPAND_DIMS');
