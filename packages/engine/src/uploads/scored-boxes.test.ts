import { describe, expect, test } from 'vitest';
import { answersFor, readHere } from './fixtures/read-here.js';
import { type SeeingOutput, seeingNet } from './fixtures/seeing-net.js';

const object = [16, 8, 48, 56] as const;
const dog = { label: 'dog', score: 0.9, box: [...object] };
const pets = { labels: ['cat', 'dog'] };

/** `dets` and `labels` as MMDeploy writes them, with rows of no box behind those found. */
function mmDetection(label = 1, names = ['dets', 'labels']): SeeingOutput[] {
  const row = ['x1', 'y1', 'x2', 'y2', 'score'] as const;
  return [
    { name: names[0] ?? '', row, shape: 'rows', others: { count: 99, row: [0, 0, 0, 0, 0] } },
    {
      name: names[1] ?? '',
      row: [label],
      shape: 'list',
      type: 'int64',
      others: { count: 99, row: [-1] },
    },
  ];
}

describe("MMDetection's dets and labels", () => {
  test('are finished boxes in pixels with their scores, and classes from 0', async () => {
    const read = await readHere(seeingNet({ outputs: mmDetection() }), pets);
    expect(read.recognition).toMatchObject({
      family: 'detector',
      plan: { input: { fit: 'letterbox', place: 'corner', scale: { mean: [123.675, 116.28, 103.53] } } },
    });
    expect(read.notes.join()).toContain('MMDetection');
    expect(await answersFor(read, object)).toEqual([dog]);
    expect(await answersFor(read, [0, 0, 0, 0])).toEqual([]);
  });

  test('are read under other names, with other layouts of the options and as many as it finds', async () => {
    const renamed = await readHere(seeingNet({ outputs: mmDetection(1, ['a', 'b']) }), pets);
    expect(await answersFor(renamed, object)).toEqual([dog]);
    const asked = await readHere(seeingNet({ outputs: mmDetection() }), { ...pets, layout: 'ssd' });
    expect(await answersFor(asked, object)).toEqual([dog]);
    const [dets, labels] = mmDetection();
    const outputs: SeeingOutput[] = [
      { name: 'dets', row: dets?.row ?? [], shape: 'free' },
      { name: 'labels', row: labels?.row ?? [], shape: 'free-list', type: 'int64' },
    ];
    const free = await readHere(seeingNet({ outputs }), pets);
    expect(await answersFor(free, object)).toEqual([dog]);
    expect(await answersFor(free, [0, 0, 0, 0])).toEqual([]);
  });

  test("have COCO's 80 classes where no label is given", async () => {
    const read = await readHere(seeingNet({ outputs: mmDetection(16) }));
    expect(await answersFor(read, object)).toEqual([dog]);
  });
});

test('whole numbers of 64 bits are no scores of a classifier', async () => {
  const outputs = mmDetection();
  await expect(readHere(seeingNet({ outputs }), { ...pets, family: 'classifier' })).rejects.toThrow(
    'labels [1,100] holds whole numbers: numbers of classes, or a mark of the best one, rather than scores',
  );
});
