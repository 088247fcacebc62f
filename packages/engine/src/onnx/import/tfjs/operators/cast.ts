import { elementsOf, elementTypeCodes } from '../../../graph/element-type.js';
import type { Operator } from '../operator.js';

export const cast: Operator = ({ builder, input, attributes }) => {
  const value = input(0);
  const type = attributes.elementType('DstT');
  if (type === value.type) return value;
  if (value.constant !== undefined) {
    const numbers = Array.from<number | bigint, number>(value.constant, Number);
    const stored = type === 'bool' ? numbers.map((number) => (number === 0 ? 0 : 1)) : numbers;
    return builder.constant(type, value.dims, elementsOf(type, stored), value.name);
  }
  return builder.node(
    'Cast',
    [value],
    { to: elementTypeCodes[type] },
    { type, dims: value.dims, storage: value.storage },
  );
};

export const identity: Operator = ({ input }) => input(0);
