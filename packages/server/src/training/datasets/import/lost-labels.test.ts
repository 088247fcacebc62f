import { describe, expect, test } from 'vitest';
import { readLabels } from '../fixtures/read-labels.js';

const names = 'names: [cat, dog]';
const coco = (annotation: object, rest: object = {}) =>
  JSON.stringify({
    images: [{ id: 1, file_name: 'a.jpg' }],
    categories: [{ id: 1, name: 'cat' }],
    annotations: [{ image_id: 1, category_id: 1, ...annotation }],
    ...rest,
  });
const voc = (object: string) =>
  `<annotation><filename>a.jpg</filename><object>${object}</object></annotation>`;
const csv = 'file,class,x_min,y_min,x_max,y_max\n';

describe('an image whose labels are all lost is unlabelled, and one finding counts each', () => {
  test.each([
    ['YOLO in pixels', { 'data.yaml': names, 'a.txt': '0 320 240 100 100' }, 'box-outside'],
    ['a class number beyond the names', { 'data.yaml': names, 'a.txt': '2 .5 .5 .1 .1' }, 'unknown-class'],
    ['decimal commas', { 'data.yaml': names, 'a.txt': '0 0,5 0,5 0,1 0,1' }, 'bad-label'],
    ['commas between numbers', { 'data.yaml': names, 'a.txt': '0,0.5,0.5,0.1,0.1' }, 'bad-label'],
    ['lines that are no boxes', { 'data.yaml': names, 'a.txt': 'a cat on a mat' }, 'bad-label'],
    ['a COCO box of zero size', { 'a.json': coco({ bbox: [10, 10, 0, 0] }) }, 'tiny-box'],
    ['a COCO box of negative size', { 'a.json': coco({ bbox: [100, 100, -50, -50] }) }, 'tiny-box'],
    ['a normalised COCO box', { 'a.json': coco({ bbox: [0.1, 0.2, 0.3, 0.4] }) }, 'tiny-box'],
    ['a COCO box of texts', { 'a.json': coco({ bbox: ['a', 'b', 'c', 'd'] }) }, 'bad-label'],
    ['a COCO crowd', { 'a.json': coco({ bbox: [1, 1, 9, 9], iscrowd: 1 }) }, 'bad-label'],
    ['an unknown category', { 'a.json': coco({ category_id: 7, bbox: [1, 1, 9, 9] }) }, 'unknown-class'],
    ['no category', { 'a.json': coco({ category_id: undefined, bbox: [1, 1, 9, 9] }) }, 'unknown-class'],
    ['no categories', { 'a.json': coco({ bbox: [1, 1, 9, 9] }, { categories: undefined }) }, 'unknown-class'],
    ['image ids of another kind', { 'a.json': coco({ image_id: 'a', bbox: [1, 1, 9, 9] }) }, 'no-image'],
    ['a COCO class without a box', { 'a.json': coco({}) }, 'no-box'],
    ['a VOC object without a name', { 'a.xml': voc('<pose>left</pose>') }, 'bad-label'],
    ['a VOC object without a box', { 'a.xml': voc('<name>cat</name>') }, 'no-box'],
    [
      'a VOC box outside',
      {
        'a.xml': voc(
          '<name>cat</name><bndbox><xmin>900</xmin><ymin>1</ymin><xmax>950</xmax><ymax>50</ymax></bndbox>',
        ),
      },
      'box-outside',
    ],
    ['half a CSV box', { 'a.csv': `${csv}a.jpg,cat,1,2,,\n` }, 'bad-label'],
    [
      'a CSV box with decimal commas',
      { 'a.csv': `${csv}a.jpg,cat,"1,5","2,5","30,5","40,5"\n` },
      'bad-label',
    ],
    ['a CSV box without a class', { 'a.csv': `${csv}a.jpg,,1,2,30,40\n` }, 'bad-label'],
    ['a normalised CSV box', { 'a.csv': `${csv}a.jpg,cat,.1,.2,.5,.6\n` }, 'tiny-box'],
  ])('%s', async (_what, files, problem) => {
    const { labels, findings } = await readLabels({ 'a.jpg': '', ...files });
    expect(labels).toEqual({ 'a.jpg': null });
    expect(findings.filter((each) => each.labels > 0)).toEqual([
      expect.objectContaining({ problem, labels: 1 }),
    ]);
    expect(findings).toContainEqual(expect.objectContaining({ problem: 'no-labels' }));
  });

  test('of twenty images every second of which is in pixels, ten are unlabelled', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [
        [`${at}.jpg`, ''],
        [`${at}.txt`, at % 2 === 0 ? '0 .5 .5 .2 .2' : '0 320 240 100 100'],
      ]).flat(),
    );
    const { labels } = await readLabels({ ...files, 'data.yaml': names });
    expect(Object.values(labels).filter((each) => each === null)).toHaveLength(10);
    expect(Object.values(labels).filter((each) => each?.length === 0)).toHaveLength(0);
  });

  test('in a dataset for classification too', async () => {
    const long = 'x'.repeat(300);
    const { labels } = await readLabels(
      { 'a.jpg': '', 'b.jpg': '', 'a.csv': `file,class\na.jpg,${long}\nb.jpg,cat\n` },
      { task: 'classification' },
    );
    expect(labels).toEqual({ 'a.jpg': null, 'b.jpg': [{ className: 'cat', box: null }] });
  });
});

test('an image of which some labels are lost keeps the others, and each lost one is counted', async () => {
  const { labels, findings } = await readLabels({
    'data.yaml': names,
    'a.jpg': '',
    'a.txt': '0 .5 .5 .2 .2\n1 320 240 100 100\n9 .5 .5 .2 .2\nnonsense',
  });
  expect(labels['a.jpg']).toHaveLength(1);
  const lost = findings.map((each) => [each.problem, each.labels]);
  expect(lost.sort()).toEqual([
    ['bad-label', 1],
    ['box-outside', 1],
    // Training must not take the places of the lost ones for background.
    ['partly-labelled', 0],
    ['unknown-class', 1],
  ]);
});

test.each([
  ['an empty YOLO file', { 'data.yaml': names, 'a.txt': '' }],
  ['a COCO image without annotations', { 'a.json': coco({}, { annotations: [] }) }],
  ['a VOC file without objects', { 'a.xml': '<annotation><filename>a.jpg</filename></annotation>' }],
  ['a CSV line without a class', { 'a.csv': `${csv}a.jpg,,,,,\n` }],
])('an image of which nothing was lost shows none of the classes: %s', async (_what, files) => {
  expect((await readLabels({ 'a.jpg': '', ...files })).labels).toEqual({ 'a.jpg': [] });
});

test('an image of which one of several files is damaged lacks labels that nobody can count', async () => {
  const { labels, findings, plan } = await readLabels({
    'a.jpg': '',
    'one.xml': voc(
      '<name>cat</name><bndbox><xmin>1</xmin><ymin>1</ymin><xmax>50</xmax><ymax>50</ymax></bndbox>',
    ),
    'a.xml': '<annotation><filename>a.jpg',
  });
  expect(labels['a.jpg']).toHaveLength(1);
  expect(plan.images[0]).toMatchObject({ lost: 0, isIncomplete: true });
  expect(findings).toContainEqual(expect.objectContaining({ problem: 'partly-labelled' }));
});

describe('a CSV whose columns do not say the class', () => {
  test.each(['file,category\na.jpg,cat\n', 'file,split\na.jpg,train\n', 'id,photo,category\n1,x.jpg,cat\n'])(
    'is refused with its columns and those that are known: %j',
    async (text) => {
      const [columns = ''] = text.split('\n');
      const failure = await readLabels({ 'a.jpg': '', 'labels.csv': text }).catch((error: unknown) => error);
      expect(failure).toMatchObject({
        name: 'FormatError',
        message: expect.stringContaining(columns.replaceAll(',', ', ')),
      });
      expect(failure).toMatchObject({ message: expect.stringContaining('class or label or class_name') });
    },
  );

  test('is passed over with a finding beside one that does', async () => {
    const { labels, findings } = await readLabels(
      { 'a.jpg': '', 'b.jpg': '', 'a.csv': 'file,class\na.jpg,cat\n', 'b.csv': 'file,category\nb.jpg,cat\n' },
      { task: 'classification' },
    );
    expect(labels).toEqual({ 'a.jpg': [{ className: 'cat', box: null }], 'b.jpg': null });
    expect(findings).toContainEqual(expect.objectContaining({ problem: 'ignored-file', file: 'b.csv' }));
  });
});
