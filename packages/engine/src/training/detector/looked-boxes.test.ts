import fc from 'fast-check';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { expect, test } from 'vitest';
import { GraphBuilder } from '../../onnx/graph/graph-builder.js';
import { writeModel } from '../../onnx/proto/codec.js';
import type { FoundObject } from './find-objects.js';
import { looksOf, maxLooks } from './looked-boxes.js';
import { writeParts } from './parts-graph.js';

const leastLogit = -4;
const whole: FoundObject = { label: 0, score: 3, corners: [0.1, 0.1, 0.9, 0.9] };
const part: FoundObject = { label: 0, score: 2, corners: [0.2, 0.2, 0.5, 0.5] };
const beside: FoundObject = { label: 0, score: 1, corners: [0.8, 0.8, 1, 1] };

test('a part of a better box of the same label is not looked at', () => {
  expect(looksOf([whole, part, beside], { leastLogit })).toEqual([whole, beside]);
  expect(looksOf([whole, { ...part, label: 1 }], { leastLogit })).toHaveLength(2);
});

test('a faint box is not looked at, nor more than a number of them', () => {
  expect(looksOf([{ ...beside, score: -4.5 }], { leastLogit })).toEqual([]);
  const many = Array.from({ length: 40 }, (_, index) => ({
    ...beside,
    label: index,
    score: 1 - index / 100,
  }));
  expect(looksOf(many, { leastLogit })).toEqual(many.slice(0, maxLooks));
});

const side = fc.integer({ min: 0, max: 64 }).map((number) => number / 64);
const box = fc.tuple(side, side, side, side, fc.integer({ min: 0, max: 1 })).map(([a, b, c, d, label]) => ({
  label,
  corners: [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)] as const,
}));

test('a graph leaves out the same parts, also where there is no box', async () => {
  const builder = new GraphBuilder();
  const boxes = builder.input('boxes', 'float32', ['found', 4]);
  const classes = builder.input('classes', 'int64', ['found']);
  builder.output('parts', writeParts(builder, boxes, classes), ['found']);
  const session = await InferenceSession.create(writeModel(builder.finish('parts')));
  const partsIn = async (some: readonly Pick<FoundObject, 'corners' | 'label'>[]) => {
    const { parts } = await session.run({
      boxes: new Tensor('float32', Float32Array.from(some.flatMap(({ corners }) => corners)), [
        some.length,
        4,
      ]),
      classes: new Tensor('int64', BigInt64Array.from(some.map(({ label }) => BigInt(label))), [some.length]),
    });
    return Array.from(parts?.data ?? [], Number);
  };
  await fc.assert(
    fc.asyncProperty(fc.array(box, { maxLength: 12 }), async (some) => {
      const found = some.map((one, index) => ({ ...one, score: 1 - index / 100 }));
      const looked = looksOf(found, { leastLogit });
      expect(await partsIn(some)).toEqual(found.map((one) => (looked.includes(one) ? 0 : 1)));
    }),
    { numRuns: 200 },
  );
  await session.release();
});
