import { describe, expect, test } from 'vitest';
import { answersFor, readHere } from './fixtures/read-here.js';
import { type SeeingOutput, seeingNet } from './fixtures/seeing-net.js';
import { changed } from './fixtures/tiny-nets.js';

/** Boxes, scores and class numbers in outputs of their own. */

const object = [16, 8, 48, 56] as const;
const dog = { label: 'dog', score: 0.9, box: [...object] };
const pets = { labels: ['cat', 'dog'] };
const corners = ['x1', 'y1', 'x2', 'y2'] as const;

/** torchvision's: as many as it finds, classes from 1. */
const torchvision = (label: number, names = ['boxes', 'labels', 'scores']): SeeingOutput[] => [
  { name: names[0] ?? '', row: corners, shape: 'free' },
  { name: names[1] ?? '', row: [label], shape: 'free-list', type: 'int64' },
  { name: names[2] ?? '', row: ['score'], shape: 'free-list' },
];
const rows = (row: SeeingOutput['row']): Pick<SeeingOutput, 'row' | 'shape' | 'others'> => ({
  row,
  shape: row.length > 1 ? 'rows' : 'list',
  others: { count: 9, row: new Array<number>(row.length).fill(0) },
});

describe('torchvision', () => {
  test('counts classes from 1: none is dropped or misnamed, and a note says so', async () => {
    const read = await readHere(seeingNet({ outputs: torchvision(2) }), pets);
    expect(await answersFor(read, object)).toEqual([dog]);
    expect(read.notes.join()).toContain('first_class 0 where they count from 0');
    const first = await readHere(seeingNet({ outputs: torchvision(1) }), { labels: ['dog', 'cat'] });
    expect(await answersFor(first, object)).toEqual([dog]);
  });

  test('takes one image without an axis of images, and finds nothing without failing', async () => {
    const read = await readHere(seeingNet({ outputs: torchvision(2), dims: [3, 64, 64] }), pets);
    expect(await answersFor(read, object)).toEqual([dog]);
    expect(await answersFor(read, [0, 0, 0, 0])).toEqual([]);
  });

  test("has COCO's numbers with gaps where no label is given", async () => {
    const read = await readHere(seeingNet({ outputs: torchvision(18) }));
    expect(await answersFor(read, object)).toEqual([dog]);
  });

  test('the background may head the list of labels', async () => {
    const read = await readHere(seeingNet({ outputs: torchvision(2) }), {
      labels: ['__background__', 'cat', 'dog'],
    });
    expect(await answersFor(read, object)).toEqual([dog]);
  });

  test('first_class of the options counts', async () => {
    const read = await readHere(seeingNet({ outputs: torchvision(1) }), { ...pets, firstClass: 0 });
    expect(await answersFor(read, object)).toEqual([dog]);
  });

  test('its weights tell the number of classes', async () => {
    const bytes = changed(seeingNet({ outputs: torchvision(2, ['1', '2', '3']) }), (model) => ({
      ...model,
      graph: {
        ...model.graph,
        initializer: [
          ...(model.graph.initializer ?? []),
          {
            name: 'roi_heads.box_predictor.cls_score.weight',
            dims: [3n, 1n],
            dataType: 1,
            rawData: new Uint8Array(12),
          },
        ],
      },
    }));
    expect(await answersFor(await readHere(bytes, pets), object)).toEqual([dog]);
    await expect(readHere(bytes, { labels: ['dog'] })).rejects.toThrow(
      '2 classes and the background; give 2 labels',
    );
  });
});

test("Custom Vision's boxes are relative corners, and count from 0", async () => {
  const net = seeingNet({
    outputs: [
      { name: 'detected_boxes', ...rows(corners), relative: true },
      { name: 'detected_classes', ...rows([1]), type: 'int64' },
      { name: 'detected_scores', ...rows(['score']) },
    ],
  });
  const read = await readHere({ 'model.onnx': net, 'labels.txt': Buffer.from('cat\ndog\n') });
  expect(await answersFor(read, object)).toEqual([dog]);
});

test('a class above the labels is refused, and the greatest one shows that classes count from 1', async () => {
  const net = (label: number) =>
    seeingNet({
      outputs: [
        { name: 'det_boxes', ...rows(corners) },
        { name: 'det_scores', ...rows(['score']) },
        { name: 'det_classes', ...rows([label]), type: 'int64' },
      ],
    });
  await expect(readHere(net(7), pets)).rejects.toThrow('class 7 for a drawn image, and there are 2 labels');
  const read = await readHere(net(2), pets);
  expect(await answersFor(read, object)).toEqual([dog]);
  expect(read.notes.join()).toContain('count from 1');
});

test('boxes of centre and size are told from corners by the drawn object', async () => {
  const net = seeingNet({
    outputs: [
      { name: 'boxes', ...rows(['cx', 'cy', 'w', 'h']) },
      { name: 'scores', ...rows(['score']) },
      { name: 'labels', ...rows([1]), type: 'int64' },
    ],
  });
  const read = await readHere(net, { ...pets, firstClass: 0 });
  expect(await answersFor(read, object)).toEqual([dog]);
  expect(read.notes.join()).toMatch(/centre and size \(cxcywh\).*Give boxes.format/);
  const asked = await readHere(net, { ...pets, firstClass: 0, boxes: { format: 'xyxy' } });
  expect(await answersFor(asked, object)).not.toEqual([dog]);
});

test('an SSD whose first score is that of the background keeps the names of its classes', async () => {
  const net = seeingNet({
    outputs: [
      {
        name: 'scores',
        row: [0.1, 0, 'score'],
        shape: 'rows',
        others: { count: 99, row: [0.98, 0.01, 0.01] },
      },
      {
        name: 'boxes',
        row: corners,
        shape: 'rows',
        relative: true,
        others: { count: 99, row: [0.4, 0.4, 0.6, 0.6] },
      },
    ],
  });
  const read = await readHere(net, pets);
  expect((await answersFor(read, object))[0]).toEqual(dog);
  expect(read.notes.join()).toContain('taken for the background');
  const unnamed = await readHere(net);
  expect((await answersFor(unnamed, object))[0]).toMatchObject({ label: 'class 1', score: 0.9 });
});
