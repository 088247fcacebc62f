import type { Operator } from './operator.js';
import { logistic, relu, relu6 } from './operators/activation.js';
import { add } from './operators/add.js';
import { concatenation } from './operators/concatenation.js';
import { conv2d, depthwiseConv2d } from './operators/convolution.js';
import { fullyConnected } from './operators/fully-connected.js';
import { averagePool2d, maxPool2d } from './operators/pooling.js';
import { reshapeOperator } from './operators/reshape.js';
import { softmax } from './operators/softmax.js';

/** Every operator that can be converted, by its number in the schema's `BuiltinOperator`. */
export const operators: ReadonlyMap<number, Operator> = new Map([
  [0, add],
  [1, averagePool2d],
  [2, concatenation],
  [3, conv2d],
  [4, depthwiseConv2d],
  [9, fullyConnected],
  [14, logistic],
  [17, maxPool2d],
  [19, relu],
  [21, relu6],
  [22, reshapeOperator],
  [25, softmax],
]);

/** Names of some operators that cannot be converted yet, so that a message says more than a number. */
const otherNames = new Map([
  [6, 'DEQUANTIZE'],
  [18, 'MUL'],
  [23, 'RESIZE_BILINEAR'],
  [27, 'SVDF'],
  [28, 'TANH'],
  [32, 'CUSTOM'],
  [34, 'PAD'],
  [36, 'GATHER'],
  [39, 'TRANSPOSE'],
  [40, 'MEAN'],
  [41, 'SUB'],
  [42, 'DIV'],
  [43, 'SQUEEZE'],
  [45, 'STRIDED_SLICE'],
  [47, 'EXP'],
  [49, 'SPLIT'],
  [53, 'CAST'],
  [54, 'PRELU'],
  [59, 'NEG'],
  [67, 'TRANSPOSE_CONV'],
  [74, 'SUM'],
  [82, 'REDUCE_MAX'],
  [97, 'RESIZE_NEAREST_NEIGHBOR'],
  [98, 'LEAKY_RELU'],
  [101, 'ABS'],
  [114, 'QUANTIZE'],
  [117, 'HARD_SWISH'],
]);

export function describeOperator(code: number): string {
  return operators.get(code)?.name ?? otherNames.get(code) ?? `number ${code}`;
}
