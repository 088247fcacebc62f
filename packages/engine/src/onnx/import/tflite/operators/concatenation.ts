import { concat } from '../../../graph/move.js';
import type { Operator } from '../operator.js';
import { activate } from './activation.js';

export const concatenation: Operator = {
  name: 'CONCATENATION',
  keepsRange: true,
  write({ builder, input, inputCount, options }) {
    const values = Array.from({ length: inputCount }, (_, index) => input(index));
    return activate(builder, concat(builder, values, options?.integer(0, 0) ?? 0), options?.byte(1, 0) ?? 0);
  },
};
