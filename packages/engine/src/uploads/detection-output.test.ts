import { expect, test } from 'vitest';
import { answersFor, readHere } from './fixtures/read-here.js';
import { seeingNet } from './fixtures/seeing-net.js';
import { changed } from './fixtures/tiny-nets.js';

const object = [16, 8, 48, 56] as const;

/** Rows of DetectionOutput, the object's first, in an output of these sides. */
function detectionOutput(label: number, dims: readonly number[], empty: number) {
  const net = seeingNet({
    outputs: [
      {
        name: 'rows',
        row: [0, label, 'score', 'x1', 'y1', 'x2', 'y2'],
        shape: 'rows',
        relative: true,
        others: { count: 99, row: [empty, 0, 0, 0, 0, 0, 0] },
      },
    ],
  });
  return changed(net, (model) => ({
    ...model,
    graph: {
      ...model.graph,
      initializer: [
        ...(model.graph.initializer ?? []),
        { name: 'sides', dims: [BigInt(dims.length)], dataType: 7, int64Data: dims.map(BigInt) },
      ],
      node: [
        ...(model.graph.node ?? []),
        { opType: 'Reshape', input: ['rows', 'sides'], output: ['detection_out'] },
      ],
      output: [{ name: 'detection_out', type: { tensorType: { elemType: 1 } } }],
    },
  }));
}

test.each([
  [[1, 1, 100, 7], -1],
  [[1, 1, 100, 7], 0],
  [[1, 100, 7], -1],
])(
  'rows of DetectionOutput in %j are image, class, score and corners in shares; classes count from 1',
  async (dims, empty) => {
    const read = await readHere(detectionOutput(2, dims, empty), { labels: ['cat', 'dog'] });
    expect(await answersFor(read, object)).toEqual([{ label: 'dog', score: 0.9, box: [...object] }]);
    expect(read.notes.join()).toContain('DetectionOutput');
    expect(await answersFor(read, [0, 0, 0, 0])).toEqual([]);
  },
);

test('first_class of the options counts', async () => {
  const read = await readHere(detectionOutput(1, [1, 1, 100, 7], -1), {
    labels: ['cat', 'dog'],
    firstClass: 0,
  });
  expect(await answersFor(read, object)).toEqual([{ label: 'dog', score: 0.9, box: [...object] }]);
});

test('numbers that are whole but for rounding are', async () => {
  const read = await readHere(detectionOutput(2.0001, [1, 1, 100, 7], -1.0001), { labels: ['cat', 'dog'] });
  expect(await answersFor(read, object)).toEqual([{ label: 'dog', score: 0.9, box: [...object] }]);
});
