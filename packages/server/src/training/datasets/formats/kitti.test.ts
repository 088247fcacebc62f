import { expect, test } from 'vitest';
import { readLabels } from '../fixtures/read-labels.js';

const yaml = 'names: [cat]';
const line = (type: string, more = '') =>
  `${type} 0.00 0 -1.57 10.5 20 60 80.5 1.5 1.6 3.9 1.8 1.5 8.4 0.01${more}`;

test('a line is an object, with a score or without, and the folders are its own', async () => {
  const { labels, plan, findings } = await readLabels({
    'training/image_2/000001.png': '',
    'training/image_2/000002.png': '',
    'training/label_2/000001.txt': `${line('Car')}\n${line('Pedestrian', ' 0.9')}\n`,
    'training/label_2/000002.txt': '',
  });
  const box = [10.5, 20, 60, 80.5];
  expect(plan.format).toBe('kitti');
  expect(labels).toEqual({
    'training/image_2/000001.png': [
      { className: 'Car', box },
      { className: 'Pedestrian', box },
    ],
    'training/image_2/000002.png': [],
  });
  expect(findings).toEqual([]);
});

test('DontCare is left out and counted, and the image may show more than its labels', async () => {
  const { labels, plan, findings } = await readLabels({
    'a.png': '',
    'a.txt': `${line('Car')}\n${line('DontCare')}`,
  });
  expect(plan.classes).toEqual(['Car']);
  expect(labels['a.png']).toHaveLength(1);
  expect(findings.map(({ problem, labels: count }) => [problem, count])).toEqual([
    ['bad-label', 1],
    ['partly-labelled', 0],
  ]);
});

const labelled = [{ className: 'Car', box: [10.5, 20, 60, 80.5] }];

test.each([null, 'kitti'] as const)('many files of other kinds before the labels: %s', async (format) => {
  const others = Array.from({ length: 60 }, (_, at) => [`training/calib/${at}.txt`, 'P0: 1 2 3\n'] as const);
  const { labels, findings } = await readLabels(
    {
      ...Object.fromEntries(others),
      'training/image_2/1.png': '',
      'training/label_2/1.txt': line('Car'),
    },
    { format },
  );
  expect(labels).toEqual({ 'training/image_2/1.png': labelled });
  expect(findings).toEqual([
    expect.objectContaining({
      problem: 'ignored-file',
      file: 'training/calib/0.txt',
      message: expect.stringContaining('59 more'),
    }),
  ]);
});

test('labels may be behind many other files of their folder when the format is chosen', async () => {
  const others = Array.from({ length: 60 }, (_, at) => [`${at}.txt`, 'P0: 1 2 3\n'] as const);
  const files = { ...Object.fromEntries(others), 'a.png': '', 'a.txt': line('Car') };
  expect((await readLabels(files, { format: 'kitti' })).labels).toEqual({ 'a.png': labelled });
});

test('text files of YOLO beside are in a finding', async () => {
  const { labels, findings } = await readLabels({
    ...{ 'a.png': '', 'a.txt': line('Car'), 'b.png': '', 'labels/b.txt': '0 .5 .5 .2 .2' },
    'data.yaml': yaml,
  });
  expect(labels).toEqual({ 'a.png': labelled, 'b.png': null });
  expect(findings).toContainEqual(expect.objectContaining({ problem: 'ignored-file', file: 'labels/b.txt' }));
});

test.each([
  ['training/label_2/test_drive_1.txt', 'training/image_2/test_drive_1.png', 'train'],
  ['label_2/test_drive_1.txt', 'image_2/test_drive_1.png', null],
  ['testing/label_2/train_1.txt', 'testing/image_2/train_1.png', 'held-out'],
])('the split is that of folders: %s', async (file, image, split) => {
  const { plan } = await readLabels({ [image]: '', [file]: line('Car') });
  expect(plan.images.map((each) => each.split)).toEqual([split]);
});

test.each([
  [['training/depth/a.png', 'training/image_2/a.png', 'testing/image_2/a.png'], 'training/image_2/a.png'],
  [['training/depth/a.png', 'testing/image_2/a.png'], 'training/depth/a.png'],
  [['training/image_2/A.png', 'testing/image_2/a.png'], null],
  [['training/image_2/A.png', 'training/depth/b.png'], 'training/image_2/A.png'],
  [['training/depth/a.png', 'training/image_3/a.png'], null],
  [['testing/image_2/a.png'], null],
  [['training/label_2/a.jpg', 'training/image_2/a.png'], 'training/label_2/a.jpg'],
])('labels are of the image of their folder, else of the only one beside it: %j', async (paths, own) => {
  const files = Object.fromEntries(paths.map((path) => [path, '']));
  const { labels, findings } = await readLabels(
    { ...files, 'training/label_2/a.txt': line('Car') },
    { format: 'kitti' },
  );
  const expected = paths.map((path) => [path, path === own ? labelled : null] as const);
  expect(labels).toEqual(Object.fromEntries(expected));
  const lost = findings.filter(({ problem }) => problem === 'no-image').map((each) => each.labels);
  expect(lost).toEqual(own === null ? [1] : []);
});

test('polygons of YOLO with as many numbers are those of YOLO', async () => {
  const polygon = `0 ${Array.from({ length: 14 }, (_, at) => (at % 2 === 0 ? 0.1 + at / 100 : 0.5 - at / 100)).join(' ')}`;
  const { plan } = await readLabels({ 'a.png': '', 'labels/a.txt': polygon, 'data.yaml': yaml });
  expect(plan.format).toBe('yolo');
});
