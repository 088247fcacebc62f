import { elementwise } from '../../../graph/elementwise.js';
import { asDims } from '../../../graph/storage.js';
import type { Operator } from '../operator.js';
import { activate } from './activation.js';

/** Element by element, with broadcasting. Options: activation. */
function arithmetic(name: string, op: 'Add' | 'Sub' | 'Mul' | 'Div' | 'Max' | 'Min'): Operator {
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

function unary(
  name: string,
  op: 'Neg' | 'Abs' | 'Exp' | 'Sqrt' | 'Log' | 'Floor' | 'Tanh' | 'Elu',
): Operator {
  return { name, write: ({ builder, input }) => elementwise(builder, op, [input(0)]) };
}

export const neg = unary('NEG', 'Neg');
export const abs = unary('ABS', 'Abs');
export const exp = unary('EXP', 'Exp');

export const maximum = arithmetic('MAXIMUM', 'Max');
export const minimum = arithmetic('MINIMUM', 'Min');
export const sqrt = unary('SQRT', 'Sqrt');
export const log = unary('LOG', 'Log');
export const floor = unary('FLOOR', 'Floor');
export const tanh = unary('TANH', 'Tanh');
export const elu = unary('ELU', 'Elu');

/** 1 / sqrt(x). */
export const rsqrt: Operator = {
  name: 'RSQRT',
  write({ builder, input }) {
    const root = elementwise(builder, 'Sqrt', [input(0)]);
    return elementwise(builder, 'Div', [builder.scalar('float32', 1), root]);
  },
};

/** Over the last dim, to length 1. */
export const l2Normalization: Operator = {
  name: 'L2_NORMALIZATION',
  write({ builder, input }) {
    const value = asDims(builder, input(0));
    return builder.node(
      'LpNormalization',
      [value],
      { axis: -1, p: 2 },
      { type: 'float32', dims: value.dims },
    );
  },
};
