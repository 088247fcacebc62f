import { describe, expect, test } from 'vitest';
import { answersFor, readHere } from './fixtures/read-here.js';
import { type SeeingOutput, seeingNet } from './fixtures/seeing-net.js';
import { changed, tinyNet } from './fixtures/tiny-nets.js';

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

/** Finished rows, before or after another output that stays the same. */
function netBeside(
  rows: SeeingOutput,
  { dims, number }: { dims: readonly number[]; number: number },
  isFirst: boolean,
) {
  const net = seeingNet({ outputs: [rows], maps: [{ name: 'attention', dims }] });
  return changed(net, (model) => {
    const { output = [], initializer = [] } = model.graph;
    return {
      ...model,
      graph: {
        ...model.graph,
        // Maps of these nets are of halves.
        initializer: initializer.map((each) =>
          each.name?.startsWith('map') ? { ...each, rawData: bytesOf(dims, number) } : each,
        ),
        output: isFirst ? output.toReversed() : output,
      },
    };
  });
}

function bytesOf(dims: readonly number[], number: number): Uint8Array {
  const count = dims.reduce((product, side) => product * side, 1);
  return new Uint8Array(new Float32Array(count).fill(number).buffer);
}

describe('beside an output of [1,1,7,7]', () => {
  const finished: SeeingOutput = {
    ...{ name: 'rows', row: ['x1', 'y1', 'x2', 'y2', 'score', 1], shape: 'rows' },
    others: { count: 99, row: [0, 0, 0, 0, 0, 0] },
  };
  const pets = { labels: ['cat', 'dog'] };
  const dog = { label: 'dog', score: 0.9, box: [...object] };

  test.each([
    [0, true],
    [0.3, true],
    [0, false],
    [0.3, false],
  ])('of numbers %d, first: %s, finished rows are read', async (number, isFirst) => {
    const net = netBeside(finished, { dims: [1, 1, 7, 7], number }, isFirst);
    for (const options of [pets, { ...pets, layout: 'rows' as const }]) {
      const read = await readHere(net, options);
      expect(await answersFor(read, object)).toEqual([dog]);
      expect(read.notes.join()).not.toContain('DetectionOutput');
    }
  });

  test('of zeros, columns of YOLO are read', async () => {
    const columns: SeeingOutput = {
      ...{ name: 'rows', row: ['cx', 'cy', 'w', 'h', 0, 'score'], shape: 'columns' },
      others: { count: 83, row: [0, 0, 0, 0, 0, 0] },
    };
    const read = await readHere(netBeside(columns, { dims: [1, 1, 7, 7], number: 0 }, true), pets);
    expect(await answersFor(read, object)).toEqual([dog]);
  });

  test('rows with a box are read, whichever of two outputs has them', async () => {
    const read = await readHere(netBeside(finished, { dims: [1, 50, 6], number: 0 }, true), pets);
    expect(await answersFor(read, object)).toEqual([dog]);
  });
});

describe('an output of [1,1,7,7] without a row for any image', () => {
  const empty = { name: 'detection_out', dims: [1, 1, 7, 7], numbers: new Array<number>(49).fill(0) };

  test('is DetectionOutput where it is the only output', async () => {
    const { notes } = await readHere(tinyNet({ outputs: [empty] }), { labels: ['cat', 'dog'] });
    expect(notes.join()).toContain('DetectionOutput');
  });

  test('is none beside scores of a classifier', async () => {
    const scores = { name: 'scores', dims: [1, 2], numbers: [0.4, 0.6] };
    const { recognition } = await readHere(tinyNet({ outputs: [empty, scores] }), { labels: ['cat', 'dog'] });
    expect(recognition.family).toBe('classifier');
  });
});
