import type { ElementType } from '../../graph/element-type.js';
import type { Value } from '../../graph/value.js';
import { integerOf } from './attributes.js';
import type { OnnxNode } from './node.js';
import { elementTypeOf } from './tensors.js';

const integerResults = new Set(['Shape', 'Size', 'ArgMax', 'ArgMin', 'NonZero', 'NonMaxSuppression']);
const truthResults = new Set([
  'Equal',
  'Greater',
  'GreaterOrEqual',
  'Less',
  'LessOrEqual',
  'Not',
  'And',
  'Or',
  'Xor',
]);

/** Element type of what a node gives: for most that of what it is given. */
export function resultType({ op, inputs, attributes }: OnnxNode): ElementType {
  if (op === 'Cast') return elementTypeOf(integerOf(attributes, 'to', 0), 'its result');
  if (integerResults.has(op)) return 'int64';
  if (truthResults.has(op)) return 'bool';
  if (op === 'DequantizeLinear') return 'float32';
  const typed: Value | null | undefined = op === 'Where' ? inputs[1] : inputs[0];
  return typed?.type ?? 'float32';
}
