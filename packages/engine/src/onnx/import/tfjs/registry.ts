import type { Operator } from './operator.js';
import { leakyRelu, preluOperator, relu6Operator, unary } from './operators/activation.js';
import { addN, binary, floorDiv, multiplyOperator, squaredDifference } from './operators/arithmetic.js';
import { fusedBatchNorm } from './operators/batch-norm.js';
import { cast, identity } from './operators/cast.js';
import { biasAdd, conv2d, depthwiseConv2d } from './operators/convolution.js';
import { matMul, softmax } from './operators/matrix.js';
import { pad } from './operators/padding.js';
import { pooling } from './operators/pooling.js';
import { reduction } from './operators/reduction.js';
import { resize } from './operators/resize.js';
import {
  concatV2,
  expandDims,
  pack,
  reshapeOperator,
  shapeOf,
  squeeze,
  tileOperator,
  transposeOperator,
} from './operators/shaping.js';
import { sliceOperator, stridedSlice, unpack } from './operators/slicing.js';

const add = binary('Add', (a, b) => a + b);
const divide = binary('Div', (a, b) => a / b);

/** Every operator that can be converted, by TensorFlow's name. `Const` is read by the importer itself. */
export const operators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['Abs', unary('Abs', Math.abs)],
  ['Add', add],
  ['AddN', addN],
  ['AddV2', add],
  ['AvgPool', pooling('AveragePool')],
  ['BiasAdd', biasAdd],
  ['Cast', cast],
  ['ConcatV2', concatV2],
  ['Conv2D', conv2d],
  ['DepthwiseConv2dNative', depthwiseConv2d],
  ['Div', divide],
  ['Elu', unary('Elu')],
  ['Exp', unary('Exp', Math.exp)],
  ['ExpandDims', expandDims],
  ['Floor', unary('Floor', Math.floor)],
  ['FloorDiv', floorDiv],
  ['FusedBatchNorm', fusedBatchNorm],
  ['FusedBatchNormV2', fusedBatchNorm],
  ['FusedBatchNormV3', fusedBatchNorm],
  ['FusedDepthwiseConv2dNative', depthwiseConv2d],
  ['Identity', identity],
  ['LeakyRelu', leakyRelu],
  ['MatMul', matMul],
  ['Max', reduction('ReduceMax')],
  ['MaxPool', pooling('MaxPool')],
  ['Maximum', binary('Max', Math.max)],
  ['Mean', reduction('ReduceMean')],
  ['Min', reduction('ReduceMin')],
  ['Minimum', binary('Min', Math.min)],
  ['Mul', multiplyOperator],
  ['Neg', unary('Neg', (x) => -x)],
  ['Pack', pack],
  ['Pad', pad],
  ['PadV2', pad],
  ['Prelu', preluOperator],
  ['RealDiv', divide],
  ['Relu', unary('Relu', (x) => Math.max(x, 0))],
  ['Relu6', relu6Operator],
  ['Reshape', reshapeOperator],
  ['ResizeBilinear', resize('linear')],
  ['ResizeNearestNeighbor', resize('nearest')],
  ['Shape', shapeOf],
  ['Sigmoid', unary('Sigmoid')],
  ['Slice', sliceOperator],
  ['Softmax', softmax],
  ['Sqrt', unary('Sqrt', Math.sqrt)],
  ['SquaredDifference', squaredDifference],
  ['Squeeze', squeeze],
  ['StopGradient', identity],
  ['StridedSlice', stridedSlice],
  ['Sub', binary('Sub', (a, b) => a - b)],
  ['Tanh', unary('Tanh', Math.tanh)],
  ['Tile', tileOperator],
  ['Transpose', transposeOperator],
  ['Unpack', unpack],
  ['_FusedConv2D', conv2d],
  ['_FusedMatMul', matMul],
]);
