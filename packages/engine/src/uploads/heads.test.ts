import { describe, expect, test } from 'vitest';
import { answersFor, readHere } from './fixtures/read-here.js';
import { type SeeingNet, type SeeingOutput, seeingNet } from './fixtures/seeing-net.js';
import type { ImportOptions } from './import-options.js';

/** Cells of stride 8, 16 and 32 over 64 pixels. */
const cells = 64 + 16 + 4;
const object = [16, 8, 48, 56] as const;
/** Mask coefficients have any sign and size. */
const masks = Array.from({ length: 32 }, (_, index) => (index % 2 === 0 ? -2.5 : 3.5));
const points = Array.from({ length: 17 }, (_, index) => [20 + index, 30, 0.7]).flat();
const prototypes = { name: 'output1', dims: [1, 32, 16, 16] };
const box = ['cx', 'cy', 'w', 'h'] as const;
const corners = ['x1', 'y1', 'x2', 'y2'] as const;

const metadata = (task: string, names: string, more: Record<string, string> = {}) => ({
  author: 'Ultralytics',
  description: `Ultralytics YOLO11n ${task}`,
  stride: '32',
  imgsz: '[64, 64]',
  task,
  names,
  ...more,
});
const dog = "{0: 'dog'}";
const pets = "{0: 'cat', 1: 'dog'}";
/** [1,columns,n] with `after` following the box: the object's columns, and those of other boxes. */
const columns = (after: SeeingOutput['row'], others: readonly number[]): SeeingOutput => ({
  name: 'output0',
  row: [...box, ...after],
  others: { count: cells - 1, row: [30, 30, 6, 6, ...others] },
  shape: 'columns',
});
/** [1,300,columns], filled with zeros. */
const finished = (row: SeeingOutput['row']): SeeingOutput => ({
  name: 'output0',
  row,
  others: { count: 299, row: new Array<number>(row.length).fill(0) },
  shape: 'rows',
});
const args = (nms: boolean) => ({ args: `{'batch': 1, 'half': False, 'nms': ${nms ? 'True' : 'False'}}` });

const heads: readonly (readonly [string, SeeingNet, ImportOptions?])[] = [
  ['detect, one class', { outputs: [columns(['score'], [0.001])], metadata: metadata('detect', dog) }],
  [
    'detect, two classes',
    { outputs: [columns([0, 'score'], [0.001, 0.002])], metadata: metadata('detect', pets) },
  ],
  [
    'segment, one class: a mask coefficient is no score',
    {
      outputs: [columns(['score', ...masks], [0.001, ...masks])],
      maps: [prototypes],
      metadata: metadata('segment', dog),
    },
  ],
  [
    'segment, two classes, without metadata',
    {
      outputs: [columns([0, 'score', ...masks], [0.001, 0.001, ...masks])],
      maps: [prototypes],
    },
    { labels: ['cat', 'dog'] },
  ],
  [
    'pose, one class',
    {
      outputs: [columns(['score', ...points], [0.001, ...points])],
      metadata: metadata('pose', dog, { kpt_shape: '[17, 3]' }),
    },
  ],
  [
    'pose with points of two numbers, two classes',
    {
      outputs: [columns([0, 'score', 20, 30, 40, 50], [0.001, 0.001, 1, 2, 3, 4])],
      metadata: metadata('pose', pets, { kpt_shape: '[2, 2]' }),
    },
  ],
  [
    'obb, turned by a quarter',
    {
      outputs: [
        {
          ...columns([0, 'score', Math.PI / 2], [0.001, 0.001, -0.3]),
          row: ['cx', 'cy', 'h', 'w', 0, 'score', Math.PI / 2],
        },
      ],
      metadata: metadata('obb', pets),
    },
  ],
  [
    'detect with the suppression inside',
    { outputs: [finished([...corners, 'score', 1])], metadata: metadata('detect', pets, args(true)) },
  ],
  [
    'segment with the suppression inside',
    {
      outputs: [finished([...corners, 'score', 1, ...masks])],
      maps: [prototypes],
      metadata: metadata('segment', pets, args(true)),
    },
  ],
  [
    'pose with the suppression inside',
    {
      outputs: [finished([...corners, 'score', 0, ...points])],
      metadata: metadata('pose', dog, { kpt_shape: '[17, 3]', ...args(true) }),
    },
  ],
  [
    'obb with the suppression inside',
    {
      outputs: [finished(['cx', 'cy', 'h', 'w', 'score', 1, -Math.PI / 2])],
      metadata: metadata('obb', pets, args(true)),
    },
  ],
  [
    'the end-to-end head of YOLO26',
    {
      outputs: [finished([...corners, 'score', 1])],
      metadata: metadata('detect', pets, { end2end: 'True', ...args(false) }),
    },
  ],
  [
    'the end-to-end head of YOLO26 segment without metadata',
    { outputs: [finished([...corners, 'score', 1, ...masks])], maps: [prototypes] },
    { labels: ['cat', 'dog'] },
  ],
  [
    "Ultralytics' RT-DETR with two classes",
    {
      outputs: [
        {
          name: 'output0',
          row: [...box, 0.0001, 'score'],
          others: { count: 299, row: [0.5, 0.5, 0.1, 0.1, 0.0001, 0.0002] },
          shape: 'rows',
          relative: true,
        },
      ],
      metadata: { ...metadata('detect', pets), description: 'Ultralytics RTDETR-L model' },
    },
  ],
  [
    'half floats',
    { outputs: [columns([0, 'score'], [0.001, 0.002])], input: 'half', metadata: metadata('detect', pets) },
  ],
  [
    'free sides',
    {
      outputs: [columns([0, 'score'], [0.001, 0.002])],
      dims: ['batch', 3, 'height', 'width'],
      metadata: metadata('detect', pets),
    },
  ],
  [
    'bytes as input',
    { outputs: [columns([0, 'score'], [0.001, 0.002])], input: 'uint8', metadata: metadata('detect', pets) },
  ],
  [
    'YOLOv5 segment, without a task in its metadata',
    {
      outputs: [
        {
          name: 'output0',
          row: [...box, 'score', 0, 1, ...masks],
          others: { count: 3 * cells - 1, row: [30, 30, 6, 6, 0.001, 0.3, 0.3, ...masks] },
          shape: 'rows',
        },
      ],
      maps: [prototypes],
      metadata: { stride: '32', names: pets },
    },
  ],
  [
    'YOLOv7 with its suppression: [n,7] with the number of the image first',
    { outputs: [{ name: 'output', row: [0, ...corners, 1, 'score'], shape: 'free' }] },
    { labels: ['cat', 'dog'] },
  ],
];

describe('each head finds the drawn object, and nothing else', () => {
  for (const [name, net, options] of heads)
    test(name, async () => {
      const read = await readHere(seeingNet(net), options);
      expect(await answersFor(read, object)).toEqual([{ label: 'dog', score: 0.9, box: [...object] }]);
    });
});

test('a turned box is answered as the upright box around it', async () => {
  const net = seeingNet({
    outputs: [columns([0, 'score', Math.PI / 4], [0.001, 0.001, -0.3])],
    metadata: metadata('obb', pets),
  });
  const read = await readHere(net);
  const half = (16 + 12) / Math.SQRT2 / 2;
  const [answer] = await answersFor(read, [24, 26, 40, 38]);
  expect(answer?.box.map((side) => Math.round(side))).toEqual(
    [32 - half, 32 - half, 32 + half, 32 + half].map(Math.round),
  );
  expect(read.notes.join()).toContain('the upright boxes around them');
});

test('columns that the task does not explain are refused, and so are finished rows of another width', async () => {
  const wide = seeingNet({
    outputs: [columns([0, 'score', ...masks], [0.001, 0.001, ...masks])],
    metadata: metadata('detect', pets),
  });
  await expect(readHere(wide)).rejects.toThrow('34 more, which 2 labels and the task detect do not explain');
  const rows = seeingNet({
    outputs: [finished([...corners, 'score', 1])],
    metadata: metadata('segment', pets, args(true)),
  });
  await expect(readHere(rows)).rejects.toThrow('rows of 38 numbers, but it gives output0 [1,300,6]');
});
