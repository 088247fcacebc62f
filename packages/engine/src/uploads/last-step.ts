import type { Graph, Node } from '../onnx/proto/model.js';
import type { LastStep } from './net.js';

/** Operators that give the same numbers in another form. */
const passing = new Set([
  'Identity',
  'Cast',
  'Reshape',
  'Squeeze',
  'Unsqueeze',
  'Flatten',
  'Transpose',
  'Dropout',
  'QuantizeLinear',
  'DequantizeLinear',
  'Clip',
]);
const products = new Set([
  'Gemm',
  'MatMul',
  'Conv',
  'FusedGemm',
  'FusedMatMul',
  'MatMulInteger',
  'QLinearMatMul',
]);
const maxSteps = 16;

/** The last computation before an output. */
export function lastStep({ node: nodes = [] }: Graph, output: string): LastStep | undefined {
  const producers = new Map<string, Node>();
  for (const node of nodes) for (const name of node.output ?? []) producers.set(name, node);
  let name = output;
  for (let step = 0; step < maxSteps; step++) {
    const node = producers.get(name);
    const op = node?.opType ?? '';
    if (op === 'Sigmoid' || op === 'HardSigmoid') return 'sigmoid';
    if (op === 'Softmax') return 'softmax';
    if (op === 'TopK') return 'top-k';
    if (op === 'ArgMax') return 'arg-max';
    if (op === 'OneHot' || op === 'Hardmax' || op === 'Equal') return 'one-hot';
    if (products.has(op)) return 'linear';
    // A bias follows its product.
    if (op === 'Add') {
      const isBias = node?.input?.some((each) => products.has(producers.get(each)?.opType ?? ''));
      return isBias ? 'linear' : undefined;
    }
    if (!passing.has(op)) return undefined;
    name = node?.input?.[0] ?? '';
  }
  return undefined;
}
