import { reshape } from '../../../graph/move.js';
import type { Operator } from '../operator.js';

/** The new shape is that which the file declares for the output. */
export const reshapeOperator: Operator = {
  name: 'RESHAPE',
  keepsRange: true,
  write: ({ builder, input, output }) => reshape(builder, input(0), output.dims),
};
