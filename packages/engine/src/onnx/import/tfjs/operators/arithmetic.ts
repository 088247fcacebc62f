import { elementwise, multiply } from '../../../graph/elementwise.js';
import { ImportError } from '../../../import-error.js';
import type { Operator } from '../operator.js';

/** Functions of two elements with broadcasting, under ONNX's name. */
export function binary(op: string, reckon: (a: number, b: number) => number): Operator {
  return ({ builder, input }) =>
    elementwise(builder, op, [input(0), input(1)], { reckon: (a = 0, b = 0) => reckon(a, b) });
}

export const multiplyOperator: Operator = ({ builder, input }) => multiply(builder, input(0), input(1));

/** Sum of any number of tensors. */
export const addN: Operator = ({ builder, inputs, input }) =>
  inputs
    .slice(1)
    .reduce(
      (total, next) => elementwise(builder, 'Add', [total, next], { reckon: (a = 0, b = 0) => a + b }),
      input(0),
    );

/** Division rounded towards minus infinity. */
export const floorDiv: Operator = ({ builder, input }) => {
  const [a, b] = [input(0), input(1)];
  if (a.type === 'float32') return elementwise(builder, 'Floor', [elementwise(builder, 'Div', [a, b])]);
  const reckon = (x = 0, y = 1) => Math.floor(x / y);
  const result = elementwise(builder, 'Div', [a, b], { reckon });
  // ONNX rounds whole numbers towards zero, so only what is known now can be right for negative ones too.
  if (result.constant === undefined)
    throw new ImportError('it divides whole numbers that are known only at run time');
  return result;
};

export const squaredDifference: Operator = ({ builder, input }) => {
  const difference = elementwise(builder, 'Sub', [input(0), input(1)], { reckon: (a = 0, b = 0) => a - b });
  return elementwise(builder, 'Mul', [difference, difference], { reckon: (a = 0, b = 0) => a * b });
};
