import { describe, expect, test } from 'vitest';
import { readHere } from './fixtures/read-here.js';
import { table, tinyNet } from './fixtures/tiny-nets.js';
import { gridCells, isGridCount, strides } from './grid.js';

/** YOLO's rows for inputs of several sizes: their number shows that they are not finished. */

const names = (count: number) =>
  `{${Array.from({ length: count }, (_, index) => `${index}: 'class ${index}'`).join(', ')}}`;

/** A net whose first box lies on the drawn object, or is as unsure as the others. */
function gridNet({
  side,
  of = strides,
  perCell = 1,
  after,
  columnsFirst = false,
  isFound = true,
  classes,
}: {
  readonly side: number;
  readonly of?: readonly number[];
  readonly perCell?: number;
  /** Numbers behind the box for the object, and for everything else. */
  readonly after: readonly [readonly number[], readonly number[]];
  readonly columnsFirst?: boolean;
  readonly isFound?: boolean;
  /** Named in the metadata; none without. */
  readonly classes?: number;
}): Uint8Array {
  const count = perCell * gridCells({ width: side, height: side }, of);
  const [found, other] = after;
  const rows: Record<number, readonly number[]> = Object.fromEntries(
    Array.from({ length: count }, (_, row) => [row, [side / 2, side / 2, 6, 6, ...other]] as const),
  );
  if (isFound) rows[0] = [0.71875 * side, 0.25 * side, 0.3125 * side, 0.25 * side, ...found];
  return tinyNet({
    input: [1, 3, side, side],
    outputs: [{ name: 'output0', ...table(count, 4 + other.length, rows, columnsFirst) }],
    ...(classes !== undefined && { metadata: { names: names(classes) } }),
  });
}

describe('one class: the rows of', () => {
  // YOLOv5 has no reason to train the score of its only class, which is 1 but for a hair.
  const objectness = [
    [0.9, 0.99998],
    [1e-5, 0.99998],
  ] as const;

  test.each([
    [160, true, 1],
    [224, true, undefined],
    [256, false, 1],
    [256, false, undefined],
    [320, true, undefined],
    [640, false, 1],
  ])('YOLOv5 at %i pixels are a grid (found: %s, names: %s)', async (side, isFound, classes) => {
    const net = gridNet({ side, perCell: 3, after: objectness, isFound, ...(classes && { classes }) });
    expect((await readHere(net)).recognition.plan).toMatchObject({
      head: { head: 'columns', objectness: true, columnsFirst: false, boxes: { format: 'cxcywh' } },
      labels: ['class 0'],
    });
  });

  test.each([
    ['YOLOX', { side: 256 }],
    ['YOLOv3-tiny', { side: 416, of: [16, 32], perCell: 3 }],
    ['YOLOv5 with a grid for large images', { side: 256, of: [...strides, 64], perCell: 3 }],
    ['YOLOv5 with a grid for small objects', { side: 160, of: [4, ...strides], perCell: 1 }],
  ])('%s are a grid', async (_name, size) => {
    const { recognition } = await readHere(
      gridNet({ ...size, after: objectness, isFound: false, classes: 1 }),
    );
    expect(recognition.plan).toMatchObject({
      head: { head: 'columns', objectness: true },
      labels: ['class 0'],
    });
  });

  test.each([160, 1280])('YOLOv8 and YOLO11 at %i pixels are read', async (side) => {
    const net = gridNet({ side, after: [[0.9], [1e-5]], columnsFirst: true, classes: 1 });
    expect((await readHere(net)).recognition.plan).toMatchObject({
      head: { head: 'columns', objectness: false, columnsFirst: true },
      labels: ['class 0'],
    });
  });
});

test('two classes in columns that come last are no finished rows, though the second is never found', async () => {
  const net = gridNet({
    side: 160,
    after: [
      [0.9, 1e-5],
      [1e-5, 1e-5],
    ],
    classes: 2,
  });
  expect((await readHere(net)).recognition.plan.head).toMatchObject({ head: 'columns', objectness: false });
});

test.each([
  [32, 80],
  [64, 80],
  [96, 300],
])(
  'more classes than boxes: the axis of boxes is known at %i pixels by its length',
  async (side, classes) => {
    const [none, dog] = [new Array<number>(classes).fill(1e-5), new Array<number>(classes).fill(1e-5)];
    dog[3] = 0.9;
    const { recognition } = await readHere(gridNet({ side, after: [dog, none], columnsFirst: true }));
    expect(recognition.plan.head).toMatchObject({ columnsFirst: true, objectness: false });
    expect(recognition.plan.labels).toHaveLength(classes);
  },
);

describe('finished rows', () => {
  test.each([160, 320, 640])('of six numbers are read at %i pixels', async (side) => {
    const row = [0.5625 * side, 0.125 * side, 0.875 * side, 0.375 * side, 0.9, 1];
    const net = tinyNet({
      input: [1, 3, side, side],
      outputs: [{ name: 'output0', ...table(300, 6, { 0: row }) }],
      metadata: { names: names(2) },
    });
    expect((await readHere(net)).recognition.plan.head).toMatchObject({ head: 'rows' });
  });

  test('as many as a grid has are read where the layout is given', async () => {
    const net = gridNet({
      side: 64,
      after: [
        [0.9, 1],
        [0, 0],
      ],
      classes: 2,
    });
    expect((await readHere(net)).recognition.plan.head).toMatchObject({ head: 'columns' });
    expect((await readHere(net, { layout: 'rows' })).recognition.plan.head).toMatchObject({ head: 'rows' });
  });

  test("Ultralytics' RT-DETR has none, though the second of its two classes is never found", async () => {
    const net = tinyNet({
      input: [1, 3, 640, 640],
      outputs: [{ name: 'output0', ...table(300, 6, { 0: [0.72, 0.25, 0.31, 0.25, 0.9, 1e-5] }) }],
      metadata: { names: names(2), stride: '32', task: 'detect', description: 'Ultralytics RTDETR-L model' },
    });
    expect((await readHere(net)).recognition.plan.head).toMatchObject({ head: 'columns', objectness: false });
  });
});

test('the number of finished rows in use is that of no square grid', () => {
  for (const count of [10, 50, 100, 200, 300, 1000])
    for (let side = 32; side <= 1280; side += 32)
      expect(isGridCount({ width: side, height: side }, count)).toBe(false);
});
