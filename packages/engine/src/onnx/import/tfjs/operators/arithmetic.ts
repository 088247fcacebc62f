import { elementwise, multiply } from '../../../graph/elementwise.js';
import { ImportError } from '../../../import-error.js';
import type { Operator } from '../operator.js';

/** Functions of two elements with broadcasting, under ONNX's name. */
export function binary(op: string, compute: (a: number, b: number) => number): Operator {
  return ({ builder, input }) =>
    elementwise(builder, op, [input(0), input(1)], { compute: (a = 0, b = 0) => compute(a, b) });
}

export const multiplyOperator: Operator = ({ builder, input }) => multiply(builder, input(0), input(1));

/** Sum of any number of tensors. */
export const addN: Operator = ({ builder, inputs, input }) =>
  inputs
    .slice(1)
    .reduce(
      (total, next) => elementwise(builder, 'Add', [total, next], { compute: (a = 0, b = 0) => a + b }),
      input(0),
    );

/** Division rounded towards minus infinity. */
export const floorDiv: Operator = ({ builder, input }) => {
  const [a, b] = [input(0), input(1)];
  if (a.type === 'float32') return elementwise(builder, 'Floor', [elementwise(builder, 'Div', [a, b])]);
  const compute = (x = 0, y = 1) => Math.floor(x / y);
  const result = elementwise(builder, 'Div', [a, b], { compute });
  // ONNX rounds whole numbers towards zero, so negative ones are correct only when folded.
  if (result.constant === undefined)
    throw new ImportError('it divides whole numbers that are known only at run time');
  return result;
};

export const squaredDifference: Operator = ({ builder, input }) => {
  const difference = elementwise(builder, 'Sub', [input(0), input(1)], { compute: (a = 0, b = 0) => a - b });
  return elementwise(builder, 'Mul', [difference, difference], { compute: (a = 0, b = 0) => a * b });
};
