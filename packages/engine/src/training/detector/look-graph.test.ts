import { InferenceSession, Tensor } from 'onnxruntime-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GraphBuilder } from '../../onnx/graph/graph-builder.js';
import type { Value } from '../../onnx/graph/value.js';
import { writeModel } from '../../onnx/proto/codec.js';
import { cropFeatures } from './crop-graph.js';
import { withSecondLook } from './look-graph.js';
import { raiseOf, type SecondLook } from './second-look.js';

const look: SecondLook = {
  weights: [Float32Array.of(4, -4), Float32Array.of(-4, 4)],
  biases: [0, 6],
  gain: 3,
  cap: 2,
  leastLogit: -4,
};
const boxes = [
  [0, 0, 0.5, 0.5],
  [0.5, 0, 1, 0.5],
  [0, 0.5, 0.5, 1],
];
const logits = [2, 1, 0.5];
const classes = [0, 0, 1];
const features = [Float32Array.of(-1, 1), Float32Array.of(1, -1)];
/** The first box, whose crop shows the other label, and the last one, whose crop shows none. */
const looked = [0, 2];

let session: InferenceSession;
beforeAll(async () => {
  const builder = new GraphBuilder();
  const pass = (name: string, type: 'float32' | 'int64', dims: readonly (string | number)[]) => {
    const value: Value = builder.input(`given_${name}`, type, dims);
    builder.output(name, builder.node('Identity', [value], {}, value), dims);
  };
  pass('lynceus/found_boxes', 'float32', ['found', 4]);
  pass('lynceus/found_logits', 'float32', ['found']);
  pass('lynceus/found_classes', 'int64', ['found']);
  pass('lynceus/looked_boxes', 'int64', ['looked']);
  pass(cropFeatures, 'float32', ['looked', 2]);
  const threshold = builder.input('score_threshold', 'float32', [1]);
  builder.output('unused', builder.node('Identity', [threshold], {}, threshold), [1]);
  session = await InferenceSession.create(writeModel(withSecondLook(builder.finish('found'), look)));
});
afterAll(() => session.release());

async function run(threshold: number) {
  const integers = (values: readonly number[]) =>
    new Tensor('int64', BigInt64Array.from(values.map(BigInt)), [values.length]);
  const outputs = await session.run({
    'given_lynceus/found_boxes': new Tensor('float32', Float32Array.from(boxes.flat()), [3, 4]),
    'given_lynceus/found_logits': new Tensor('float32', Float32Array.from(logits), [3]),
    'given_lynceus/found_classes': integers(classes),
    'given_lynceus/looked_boxes': integers(looked),
    [`given_${cropFeatures}`]: new Tensor(
      'float32',
      Float32Array.from(features.flatMap((row) => [...row])),
      [2, 2],
    ),
    score_threshold: new Tensor('float32', Float32Array.of(threshold), [1]),
  });
  return {
    scores: Array.from(outputs['scores']?.data ?? [], Number),
    classes: Array.from(outputs['classes']?.data ?? [], Number),
  };
}

test('a graph raises what is looked at as the training does, leaves the rest, and answers the best first', async () => {
  const expected = logits.map((logit, index) => {
    const at = looked.indexOf(index);
    const row = features[at];
    return logit + (row ? raiseOf(look, classes[index] ?? 0, row) : 0);
  });
  const sigmoid = (logit: number) => 1 / (1 + Math.exp(-logit));
  const { scores, classes: found } = await run(-1);
  const order = [0, 1, 2].sort((a, b) => (expected[b] ?? 0) - (expected[a] ?? 0));
  expect(found).toEqual(order.map((index) => classes[index]));
  scores.forEach((score, at) => {
    expect(score).toBeCloseTo(sigmoid(expected[order[at] ?? 0] ?? 0), 5);
  });
});

test('a box whose score is too small for a float is answered only below a threshold of 0', async () => {
  expect((await run(-1)).scores).toHaveLength(3);
  expect((await run(0)).scores.length).toBeLessThan(3);
  expect((await run(0.4)).scores).toHaveLength(1);
});
