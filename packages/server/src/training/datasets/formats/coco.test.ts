import { expect, test } from 'vitest';
import { readLabels } from '../fixtures/read-labels.js';

const cat = (...box: readonly number[]) => ({ className: 'cat', box });
interface Coco {
  readonly images?: readonly object[];
  readonly categories?: readonly object[];
  readonly annotations?: readonly object[];
}
const coco = ({
  images = [{ id: 1, file_name: 'a.jpg' }],
  categories = [{ id: 1, name: 'cat' }],
  annotations = [],
}: Coco) => JSON.stringify({ images, categories, annotations });
const annotation = (bbox: readonly number[] | null, more: object = {}) => ({
  image_id: 1,
  category_id: 1,
  bbox,
  ...more,
});

test('files of one image are united, one that two of them have once', async () => {
  const person = [{ id: 1, name: 'person' }];
  const { labels, findings } = await readLabels({
    'a.jpg': '',
    'instances.json': coco({
      categories: [...person, { id: 2, name: 'cat' }],
      annotations: [annotation([10, 10, 50, 50]), annotation([99, 99, 9, 9], { category_id: 2 })],
    }),
    'person_keypoints.json': coco({
      categories: person,
      annotations: [annotation([10, 10, 50, 50]), annotation([200, 200, 50, 50])],
    }),
  });
  expect(labels['a.jpg']).toEqual([
    { className: 'person', box: [10, 10, 60, 60] },
    cat(99, 99, 108, 108),
    { className: 'person', box: [200, 200, 250, 250] },
  ]);
  expect(findings).toEqual([expect.objectContaining({ problem: 'repeated-label', labels: 1 })]);
});

test('a file a class gives an image the labels of all', async () => {
  const { labels } = await readLabels({
    'a.jpg': '',
    'cats.json': coco({ annotations: [annotation([10, 10, 50, 50])] }),
    'dogs.json': coco({
      categories: [{ id: 1, name: 'dog' }],
      annotations: [annotation([90, 90, 50, 50])],
    }),
  });
  expect(labels['a.jpg']).toEqual([cat(10, 10, 60, 60), { className: 'dog', box: [90, 90, 140, 140] }]);
});

test('annotations of an id that two images have are of neither', async () => {
  const images = ['a.jpg', 'b.jpg'].map((file_name) => ({ id: 1, file_name }));
  const { labels, findings } = await readLabels({
    'a.jpg': '',
    'b.jpg': '',
    'c.jpg': '',
    'x.json': coco({
      images: [...images, { id: 2, file_name: 'c.jpg' }],
      annotations: [annotation([10, 10, 50, 50]), annotation([10, 10, 50, 50], { image_id: 2 })],
    }),
  });
  expect(labels).toEqual({ 'a.jpg': null, 'b.jpg': null, 'c.jpg': [cat(10, 10, 60, 60)] });
  expect(findings.filter((each) => each.labels > 0)).toEqual([
    expect.objectContaining({
      problem: 'bad-label',
      message: 'image 1 is listed as a.jpg, as b.jpg',
      labels: 1,
    }),
  ]);
});

test('a number that two categories have is of neither, and an image listed twice has the labels of both', async () => {
  const { labels, findings } = await readLabels({
    'a.jpg': '',
    'x.json': coco({
      images: [1, 2].map((id) => ({ id, file_name: 'a.jpg' })),
      categories: [
        { id: 1, name: 'cat' },
        { id: 2, name: 'dog' },
        { id: 2, name: 'cow' },
      ],
      annotations: [
        annotation([10, 10, 50, 50]),
        annotation([60, 60, 50, 50], { image_id: 2 }),
        annotation([60, 60, 50, 50], { category_id: 2 }),
      ],
    }),
  });
  expect(labels['a.jpg']).toEqual([cat(10, 10, 60, 60), cat(60, 60, 110, 110)]);
  expect(findings).toEqual([
    expect.objectContaining({
      problem: 'unknown-class',
      message: 'x.json: category 2 is listed as dog and as cow',
      labels: 1,
    }),
    expect.objectContaining({ problem: 'partly-labelled', labels: 0 }),
  ]);
});

test.each([
  ['a polygon', [[10, 20, 60, 20, 30, 80]], [10, 20, 60, 80]],
  [
    'two polygons',
    [
      [10, 20, 60, 20, 30, 80],
      [100, 90, 110, 90, 110, 99],
    ],
    [10, 20, 110, 99],
  ],
  // Columns of 4: the object is rows 1 to 2 of columns 3 to 4.
  ['a mask', { size: [4, 6], counts: [13, 2, 2, 2, 5] }, [3, 1, 5, 3]],
  ['a mask as text', { size: [4, 6], counts: '=2203' }, [3, 1, 5, 3]],
])('%s without a box gets the one around it', async (_what, segmentation, corners) => {
  const { labels } = await readLabels({
    'a.jpg': '',
    'x.json': coco({ annotations: [annotation(null, { segmentation })] }),
  });
  expect(labels['a.jpg']).toEqual([cat(...corners)]);
});

test.each([
  'a%20b%C3%BC.jpg',
  'https://host/x/a%20b%C3%BC.jpg?token=1',
  '/data/upload/1/0123abcd-a%20b%C3%BC.jpg',
  'a bü.jpg',
])('an image is found by the name that the file gives it: %s', async (file_name) => {
  const { labels } = await readLabels({
    'images/a bü.jpg': '',
    'x.json': coco({ images: [{ id: 1, file_name }], annotations: [annotation([10, 10, 50, 50])] }),
  });
  expect(labels).toEqual({ 'images/a bü.jpg': [cat(10, 10, 60, 60)] });
});

test('a number that is none loses its own label, and not the file', async () => {
  const text = coco({ annotations: [annotation([10, 10, 50, 50]), annotation([11, 10, 50, 50])] });
  const { labels, findings } = await readLabels({ 'a.jpg': '', 'x.json': text.replace('[11,', '[NaN,') });
  expect(labels).toEqual({ 'a.jpg': [cat(10, 10, 60, 60)] });
  expect(findings).toEqual([
    expect.objectContaining({ problem: 'bad-label', labels: 1 }),
    expect.objectContaining({ problem: 'partly-labelled', labels: 0 }),
  ]);
});

test('captions are passed over with a finding', async () => {
  const { labels, findings } = await readLabels({
    'a.jpg': '',
    'annotations/captions_val.json': JSON.stringify({
      images: [{ id: 1, file_name: 'a.jpg' }],
      annotations: [{ image_id: 1, id: 1, caption: 'a cat' }],
    }),
    'annotations/instances_val.json': coco({ annotations: [annotation([10, 10, 50, 50])] }),
  });
  expect(labels).toEqual({ 'a.jpg': [cat(10, 10, 60, 60)] });
  expect(findings).toEqual([
    expect.objectContaining({ problem: 'ignored-file', file: 'annotations/captions_val.json' }),
  ]);
});
