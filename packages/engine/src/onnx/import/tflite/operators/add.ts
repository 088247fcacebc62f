import { elementwise } from '../../../graph/elementwise.js';
import type { Operator } from '../operator.js';
import { activate } from './activation.js';

export const add: Operator = {
  name: 'ADD',
  write({ builder, input, options }) {
    return activate(builder, elementwise(builder, 'Add', [input(0), input(1)]), options?.byte(0, 0) ?? 0);
  },
};
