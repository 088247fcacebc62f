import { elementwise } from '../../../graph/elementwise.js';
import type { Operator } from '../operator.js';
import { activate } from './activation.js';

/** Element by element, with broadcasting. Options: activation. */
function arithmetic(name: string, op: 'Add' | 'Sub' | 'Mul' | 'Div'): Operator {
  return {
    name,
    write({ builder, input, options }) {
      return activate(builder, elementwise(builder, op, [input(0), input(1)]), options?.byte(0, 0) ?? 0);
    },
  };
}

export const add = arithmetic('ADD', 'Add');
export const sub = arithmetic('SUB', 'Sub');
export const mul = arithmetic('MUL', 'Mul');
export const div = arithmetic('DIV', 'Div');

function unary(name: string, op: 'Neg' | 'Abs' | 'Exp'): Operator {
  return { name, write: ({ builder, input }) => elementwise(builder, op, [input(0)]) };
}

export const neg = unary('NEG', 'Neg');
export const abs = unary('ABS', 'Abs');
export const exp = unary('EXP', 'Exp');
