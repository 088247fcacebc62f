import { type Extension, floatConstant, int, ints, step } from '../features/extension.js';
import { unitFeatures } from '../features/feature-graph.js';
import type { TrainedHead } from './trained-head.js';

/** Nodes from features to `probabilities` [1,n]; the temperature is in the weights. */
export function headNodes({ head, link, temperature, gate }: TrainedHead): Extension {
  const { weights, bias } = head;
  const dims = [weights.rows, weights.columns];
  const divided = (numbers: Float64Array) => Float32Array.from(numbers, (number) => number / temperature);
  const raw = gate ? 'lynceus/closed' : 'probabilities';
  const activation =
    link === 'softmax'
      ? step('Softmax', ['lynceus/logits'], raw, [int('axis', 1)])
      : step('Sigmoid', ['lynceus/logits'], raw);
  const plain = {
    nodes: [
      step('Gemm', [unitFeatures, 'lynceus/weights', 'lynceus/bias'], 'lynceus/logits', [int('transB', 1)]),
      activation,
    ],
    constants: [
      floatConstant('lynceus/weights', dims, divided(weights.data)),
      floatConstant('lynceus/bias', [weights.rows], divided(bias)),
    ],
  };
  if (!gate) return plain;
  const { centres, threshold, slope } = gate;
  const noneAlone = Float32Array.from(bias, (_, c) => (c === bias.length - 1 ? 1 : 0));
  return {
    nodes: [
      ...plain.nodes,
      step('Gemm', [unitFeatures, 'lynceus/centres'], 'lynceus/cosines', [int('transB', 1)]),
      step('ReduceMax', ['lynceus/cosines'], 'lynceus/nearest', [ints('axes', [1]), int('keepdims', 1)]),
      step('Sub', ['lynceus/threshold', 'lynceus/nearest'], 'lynceus/distance'),
      step('Mul', ['lynceus/distance', 'lynceus/slope'], 'lynceus/none_logit'),
      step('Sigmoid', ['lynceus/none_logit'], 'lynceus/none'),
      step('Sub', ['lynceus/one', 'lynceus/none'], 'lynceus/some'),
      step('Mul', [raw, 'lynceus/some'], 'lynceus/open'),
      step('Mul', ['lynceus/none', 'lynceus/none_alone'], 'lynceus/none_row'),
      step('Add', ['lynceus/open', 'lynceus/none_row'], 'probabilities'),
    ],
    constants: [
      ...plain.constants,
      floatConstant('lynceus/centres', [centres.rows, centres.columns], Float32Array.from(centres.data)),
      floatConstant('lynceus/threshold', [], Float32Array.of(threshold)),
      floatConstant('lynceus/slope', [], Float32Array.of(slope)),
      floatConstant('lynceus/one', [], Float32Array.of(1)),
      floatConstant('lynceus/none_alone', [1, bias.length], noneAlone),
    ],
  };
}
