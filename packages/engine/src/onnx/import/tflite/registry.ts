import type { Operator } from './operator.js';
import { hardSwish, leakyRelu, logistic, prelu, relu, relu6, restore } from './operators/activation.js';
import {
  abs,
  add,
  div,
  elu,
  exp,
  floor,
  l2Normalization,
  log,
  maximum,
  minimum,
  mul,
  neg,
  rsqrt,
  sqrt,
  sub,
  tanh,
} from './operators/arithmetic.js';
import { concatenation } from './operators/concatenation.js';
import { conv2d, depthwiseConv2d } from './operators/convolution.js';
import { fullyConnected } from './operators/fully-connected.js';
import { pad, sliceOperator, split, stridedSlice, transposeOperator } from './operators/moving.js';
import { averagePool2d, maxPool2d } from './operators/pooling.js';
import { reduceMax, reduceMean, reduceMin, reduceSum } from './operators/reduction.js';
import { expandDims, reshapeOperator, squeeze } from './operators/reshape.js';
import { resizeBilinear, resizeNearest } from './operators/resize.js';
import { softmax } from './operators/softmax.js';

/** Every operator that can be converted, by its number in the schema's `BuiltinOperator`. */
export const operators: ReadonlyMap<number, Operator> = new Map([
  [0, add],
  [1, averagePool2d],
  [2, concatenation],
  [3, conv2d],
  [4, depthwiseConv2d],
  [6, restore('DEQUANTIZE')],
  [8, floor],
  [9, fullyConnected],
  [11, l2Normalization],
  [14, logistic],
  [17, maxPool2d],
  [18, mul],
  [19, relu],
  [21, relu6],
  [22, reshapeOperator],
  [23, resizeBilinear],
  [25, softmax],
  [28, tanh],
  [34, pad],
  [39, transposeOperator],
  [40, reduceMean],
  [41, sub],
  [42, div],
  [43, squeeze],
  [45, stridedSlice],
  [47, exp],
  [49, split],
  [53, restore('CAST')],
  [54, prelu],
  [55, maximum],
  [57, minimum],
  [59, neg],
  [60, pad],
  [65, sliceOperator],
  [70, expandDims],
  [73, log],
  [74, reduceSum],
  [75, sqrt],
  [76, rsqrt],
  [82, reduceMax],
  [89, reduceMin],
  [97, resizeNearest],
  [98, leakyRelu],
  [101, abs],
  [111, elu],
  [114, restore('QUANTIZE')],
  [117, hardSwish],
]);

/** Names of some operators that cannot be converted yet, so that a message says more than a number. */
const otherNames = new Map([
  [5, 'DEPTH_TO_SPACE'],
  [7, 'EMBEDDING_LOOKUP'],
  [27, 'SVDF'],
  [32, 'CUSTOM'],
  [36, 'GATHER'],
  [56, 'ARG_MAX'],
  [67, 'TRANSPOSE_CONV'],
  [77, 'SHAPE'],
  [83, 'PACK'],
  [94, 'FILL'],
  [100, 'MIRROR_PAD'],
  [102, 'SPLIT_V'],
  [119, 'WHILE'],
  [126, 'BATCH_MATMUL'],
]);

export function describeOperator(code: number, custom?: string): string {
  return custom ?? operators.get(code)?.name ?? otherNames.get(code) ?? `number ${code}`;
}
