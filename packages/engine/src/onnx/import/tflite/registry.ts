import type { Operator } from './operator.js';
import { logistic, relu, relu6 } from './operators/activation.js';
import { abs, add, div, exp, mul, neg, sub } from './operators/arithmetic.js';
import { concatenation } from './operators/concatenation.js';
import { conv2d, depthwiseConv2d } from './operators/convolution.js';
import { fullyConnected } from './operators/fully-connected.js';
import { averagePool2d, maxPool2d } from './operators/pooling.js';
import { reduceMax, reduceMean, reduceMin, reduceSum } from './operators/reduction.js';
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
  [18, mul],
  [19, relu],
  [21, relu6],
  [22, reshapeOperator],
  [25, softmax],
  [40, reduceMean],
  [41, sub],
  [42, div],
  [47, exp],
  [59, neg],
  [74, reduceSum],
  [82, reduceMax],
  [89, reduceMin],
  [101, abs],
]);

/** Names of some operators that cannot be converted yet, so that a message says more than a number. */
const otherNames = new Map([
  [6, 'DEQUANTIZE'],
  [23, 'RESIZE_BILINEAR'],
  [27, 'SVDF'],
  [28, 'TANH'],
  [32, 'CUSTOM'],
  [34, 'PAD'],
  [36, 'GATHER'],
  [39, 'TRANSPOSE'],
  [43, 'SQUEEZE'],
  [45, 'STRIDED_SLICE'],
  [49, 'SPLIT'],
  [53, 'CAST'],
  [54, 'PRELU'],
  [67, 'TRANSPOSE_CONV'],
  [97, 'RESIZE_NEAREST_NEIGHBOR'],
  [98, 'LEAKY_RELU'],
  [114, 'QUANTIZE'],
  [117, 'HARD_SWISH'],
]);

export function describeOperator(code: number): string {
  return operators.get(code)?.name ?? otherNames.get(code) ?? `number ${code}`;
}
