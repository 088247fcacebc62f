import { describe, expect, test } from 'vitest';
import { readLabels } from '../fixtures/read-labels.js';
import { treeOfTexts } from '../fixtures/text-tree.js';
import { FormatError, type Tree } from './plan.js';
import { readTree } from './read-tree.js';

const cat = (...box: readonly number[]) => ({ className: 'cat', box });
const yaml = 'names: [cat]';
const points3 = '.45 .4 2 .55 .4 1 .45 .6 2 .55 .6 0';

describe('YOLO', () => {
  test.each([
    ['by kpt_shape with three numbers a point', `${yaml}\nkpt_shape: [4, 3]`, `0 .5 .5 .2 .4 ${points3}`],
    ['by kpt_shape with two', `${yaml}\nkpt_shape: [2, 2]`, '0 .5 .5 .2 .4 .45 .4 .55 .6'],
    ['by kpt_shape, with a score', `${yaml}\nkpt_shape: [2, 2]`, '0 .5 .5 .2 .4 .45 .4 .55 .6 .9'],
    ['by points that are marked as seen', yaml, `0 .5 .5 .2 .4 ${points3}`],
    ['by points that are all marked', yaml, '0 .5 .5 .2 .4 .45 .4 1 .55 .4 1 .45 .6 1 .55 .6 1'],
    ['by an odd number of numbers', yaml, '0 .5 .5 .2 .4 .45 .4 2 .55 .4 1 .45 .6 2'],
    ['by sides that would cross', yaml, '0 .5 .5 .2 .4 .45 .32 .55 .32 .45 .68 .55 .68 .41 .5 .59 .31'],
  ])('a box with the points of a pose is that box: %s', async (_how, data, line) => {
    const { labels } = await readLabels({ 'a.jpg': '', 'a.txt': line, 'data.yaml': data });
    expect(labels['a.jpg']?.map(({ box }) => box?.map(Math.round))).toEqual([[256, 144, 384, 336]]);
  });

  test.each([
    ['corners of a box in another order', '0 .4 .4 .6 .6 .6 .4 .4 .6'],
    ['a polygon with a score of 1', '0 .5 .5 .2 .4 .45 .4 1'],
    ['a pose whose points are marked', '0 .5 .5 .2 .4 .45 .4 2 .55 .4 1 .45 .6 2'],
  ])('lines that are read as poses without kpt_shape are in a finding: %s', async (_what, line) => {
    const files = { 'a.jpg': '', 'a.txt': line };
    const { findings } = await readLabels({ ...files, 'data.yaml': yaml });
    expect(findings).toContainEqual(
      expect.objectContaining({ problem: 'unclear', message: expect.stringContaining('kpt_shape') }),
    );
  });

  test.each([
    ['a square', '0 .1 .1 .9 .1 .9 .9 .1 .9', [64, 48, 576, 432]],
    ['a triangle', '0 .5 .25 .75 .75 .25 .75', [160, 120, 480, 360]],
    ['with a score', '0 .5 .25 .75 .75 .25 .75 .8', [160, 120, 480, 360]],
  ])('a polygon is the box around it: %s', async (_what, line, corners) => {
    const { labels, findings } = await readLabels({ 'a.jpg': '', 'a.txt': line, 'data.yaml': yaml });
    expect(labels).toEqual({ 'a.jpg': [cat(...corners)] });
    expect(findings).toContainEqual(expect.objectContaining({ problem: 'outline-to-box', labels: 1 }));
  });

  test('polygons of one dataset are not all of one length, and then none is a pose', async () => {
    const { labels, findings } = await readLabels({
      'a.jpg': '',
      'a.txt': '0 .4 .4 .6 .4 .6 .6 .4 .6\n0 .4 .4 .6 .4 .5 .6',
      'data.yaml': yaml,
    });
    expect(labels['a.jpg']).toEqual([cat(256, 192, 384, 288), cat(256, 192, 384, 288)]);
    expect(findings.map(({ problem }) => problem)).toEqual(['outline-to-box']);
  });

  test('lines that may be polygons or poses are polygons, with a finding', async () => {
    const { labels, findings } = await readLabels({
      'a.jpg': '',
      'a.txt': '0 .4 .4 .6 .4 .6 .6 .4 .6',
      'data.yaml': yaml,
    });
    expect(labels['a.jpg']).toEqual([cat(256, 192, 384, 288)]);
    expect(findings).toContainEqual(
      expect.objectContaining({ problem: 'unclear', message: expect.stringContaining('kpt_shape') }),
    );
  });

  test.each([
    ['a list by number', { 'data.yaml': 'names: {3: a, 7: b}' }],
    ['a list with gaps', { 'data.yaml': 'names: [null, "", null, a, null, null, null, b]' }],
    ['lines with gaps', { 'classes.txt': '\n\n\na\n\n\n\nb\n' }],
  ])('numbers without a name are no classes: %s', async (_what, files) => {
    const { plan, findings } = await readLabels({
      'a.jpg': '',
      'a.txt': '3 .5 .5 .2 .2\n7 .5 .5 .2 .2\n4 .5 .5 .2 .2',
      ...files,
    });
    expect(plan.classes).toEqual(['a', 'b']);
    expect(plan.images[0]?.labels?.map(({ className }) => className)).toEqual(['a', 'b']);
    expect(findings).toContainEqual(expect.objectContaining({ problem: 'unknown-class', labels: 1 }));
  });

  test("the split is that of Darknet's lists", async () => {
    const { plan } = await readLabels({
      'obj.names': 'cat\n',
      'obj/a.jpg': '',
      'obj/a.txt': '0 .5 .5 .2 .2',
      'obj/b.jpg': '',
      'obj/b.txt': '',
      'train.txt': 'data/obj/a.jpg\n',
      'valid.txt': 'data/obj/b.jpg\n',
    });
    expect(plan.images.map(({ path, split }) => [path, split])).toEqual([
      ['obj/a.jpg', 'train'],
      ['obj/b.jpg', 'held-out'],
    ]);
  });
});

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

describe('COCO', () => {
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
});

describe('CSV', () => {
  test.each([
    ['sep=;', ';'],
    ['\uFEFFsep=;', ';'],
    ['"sep=;"', ';'],
    ['SEP=,', ','],
    ['sep=\t', '\t'],
    ['sep=|', '|'],
  ])('a first line that declares the separator is no line of the table: %j', async (first, separator) => {
    const lines = [first, ['file', 'class'].join(separator), ['a.jpg', 'cat'].join(separator), ''];
    for (const end of ['\n', '\r\n']) {
      const files = { 'a.jpg': '', 'labels.csv': lines.join(end) };
      const { labels, findings, plan } = await readLabels(files, { task: 'classification' });
      expect(labels).toEqual({ 'a.jpg': [{ className: 'cat', box: null }] });
      expect({ classes: plan.classes, findings }).toEqual({ classes: ['cat'], findings: [] });
    }
  });

  test.each([
    ['AutoML with two corners', 'TRAIN,gs://b/a.jpg,cat,.25,.5,,,.5,1,,'],
    ['Vertex AI with four', 'training,gs://b/a.jpg,cat,.25,.5,.5,.5,.5,1,.25,1'],
    ['Vertex AI without its set', 'gs://b/a.jpg,cat,.25,.5,.5,.5,.5,1,.25,1'],
    ['Vertex AI with an empty set', ',gs://b/a.jpg,cat,.25,.5,,,.5,1,,'],
    ['two other corners', 'gs://b/a.jpg,cat,,,.5,.5,,,.25,1'],
  ])('a box in shares is one in pixels: %s', async (_what, text) => {
    const { labels, plan } = await readLabels({ 'a.jpg': '', 'labels.csv': `${text}\n` });
    expect(labels).toEqual({ 'a.jpg': [cat(160, 240, 320, 480)] });
    expect(plan.images[0]?.split).toBe(/^train/i.test(text) ? 'train' : null);
  });

  test.each([
    ['validation', 'held-out'],
    ['test', 'held-out'],
    ['unassigned', null],
  ])('the set %s of Vertex AI is a split', async (set, split) => {
    const { plan } = await readLabels(
      { 'a.jpg': '', 'labels.csv': `${set},gs://b/a.jpg,cat,dog\n` },
      { task: 'classification' },
    );
    expect(plan.images).toEqual([
      expect.objectContaining({
        split,
        labels: ['cat', 'dog'].map((className) => expect.objectContaining({ className })),
      }),
    ]);
  });

  test("Open Images' boxes are shares, and its images ids", async () => {
    const { labels } = await readLabels({
      'a.jpg': '',
      'boxes.csv': 'ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax\na,x,cat,1,.25,.5,.5,1\n',
    });
    expect(labels).toEqual({ 'a.jpg': [cat(160, 240, 320, 480)] });
  });

  test.each([
    ['the second corner is one in some rows alone', 'x1,y1,x2,y2', '10,20,60,80', '100,90,50,60', 2],
    ['the box has no corners', 'x,y,width,height', '10,20,50,60', '100,90,50,60', 0],
  ])('boxes by their sizes are in a finding: %s', async (_what, columns, first, second, boxes) => {
    const { plan, findings } = await readLabels({
      'a.jpg': '',
      'x.csv': `file,class,${columns}\na.jpg,cat,${first}\na.jpg,cat,${second}\n`,
    });
    expect(plan.images[0]?.labels?.filter(({ box }) => box)).toHaveLength(boxes);
    expect(findings).toContainEqual(
      expect.objectContaining({ problem: 'unclear', message: expect.stringContaining('width') }),
    );
  });

  test.each([
    ['10,20,60,80', '90,90,99,99'],
    ['60,80,10,20', '99,99,90,90'],
  ])('corners that are in one order everywhere are in no such finding: %s and %s', async (first, second) => {
    const text = `file,class,x1,y1,x2,y2\na.jpg,cat,${first}\na.jpg,cat,${second}\n`;
    const { findings } = await readLabels({ 'a.jpg': '', 'x.csv': text });
    expect(findings.map(({ problem }) => problem)).not.toContain('unclear');
  });

  test('a column a class gives an image those that are 1', async () => {
    const { labels } = await readLabels(
      { 'a.jpg': '', 'b.jpg': '', '_classes.csv': 'filename, cat, dog\na.jpg, 1, 1\nb.jpg, 0, 0\n' },
      { task: 'classification' },
    );
    expect(labels).toEqual({
      'a.jpg': [
        { className: 'cat', box: null },
        { className: 'dog', box: null },
      ],
      'b.jpg': [],
    });
  });
});

test('a name of Pascal VOC may have characters by their numbers', async () => {
  const { labels } = await readLabels({
    'a.jpg': '',
    'a.xml':
      '<annotation><object><name>M&#252;ll &#x26; &amp;#1;</name><bndbox><xmin>1</xmin><ymin>1</ymin><xmax>9</xmax><ymax>9</ymax></bndbox></object></annotation>',
  });
  expect(labels['a.jpg']?.[0]?.className).toBe('Müll & &#1;');
});

describe('Pascal VOC', () => {
  const voc = (object: string, fileName = 'a.jpg') =>
    `<annotation><filename>${fileName}</filename><object><name>cat</name>${object}</object></annotation>`;

  test.each([
    ['left and right', [60, 20, 10, 80]],
    ['top and bottom', [10, 80, 60, 20]],
    ['both', [60, 80, 10, 20]],
  ])('corners in another order are taken in theirs, and counted as changed: %s', async (_what, corners) => {
    const sides = ['xmin', 'ymin', 'xmax', 'ymax'].map((side, at) => `<${side}>${corners[at]}</${side}>`);
    const { labels, findings } = await readLabels({
      'a.jpg': '',
      'a.xml': voc(`<bndbox>${sides.join('')}</bndbox>`),
    });
    expect(labels['a.jpg']).toEqual([cat(10, 20, 60, 80)]);
    expect(findings).toEqual([expect.objectContaining({ problem: 'box-swapped', labels: 1 })]);
  });

  test.each([
    [0, [100, 90, 300, 210]],
    [Math.PI / 2, [140, 50, 260, 250]],
    [Math.PI, [100, 90, 300, 210]],
  ])('a rotated box of roLabelImg is the upright one around it: %d', async (angle, corners) => {
    const rotated = { cx: 200, cy: 150, w: 200, h: 120, angle };
    const fields = Object.entries(rotated).map(([name, value]) => `<${name}>${value}</${name}>`);
    const { labels, findings } = await readLabels({
      'a.jpg': '',
      'a.xml': voc(`<type>robndbox</type><robndbox>${fields.join('')}</robndbox>`),
    });
    expect(labels['a.jpg']?.map(({ box }) => box?.map(Math.round))).toEqual([corners]);
    expect(findings).toEqual([expect.objectContaining({ problem: 'outline-to-box', labels: 1 })]);
  });
});

describe('names of images in other capital letters', () => {
  const box = '<xmin>10</xmin><ymin>20</ymin><xmax>60</xmax><ymax>80</ymax>';
  const files = (name: string) => ({
    coco: {
      'x.json': coco({ images: [{ id: 1, file_name: name }], annotations: [annotation([10, 20, 50, 60])] }),
    },
    csv: { 'x.csv': `file,class,x1,y1,x2,y2\n${name},cat,10,20,60,80\n` },
    voc: {
      'x.xml': `<annotation><filename>${name}</filename><object><name>cat</name><bndbox>${box}</bndbox></object></annotation>`,
    },
  });
  const formats = ['coco', 'csv', 'voc'] as const;

  test.each(formats)('are found where one image alone has them, with a finding: %s', async (format) => {
    const { labels, findings } = await readLabels({ 'set/img_1.jpg': '', ...files('IMG_1.JPG')[format] });
    expect(labels['set/img_1.jpg']).toEqual([cat(10, 20, 60, 80)]);
    expect(findings).toEqual([
      expect.objectContaining({ problem: 'unclear', message: expect.stringContaining('IMG_1.JPG') }),
    ]);
  });

  test.each(formats)('are of none where two have them: %s', async (format) => {
    const { labels } = await readLabels({
      'img_1.jpg': '',
      'Img_1.jpg': '',
      ...files('IMG_1.JPG')[format],
    });
    expect(labels).toEqual({ 'img_1.jpg': null, 'Img_1.jpg': null });
  });

  test.each(formats)('are of none where a file names the image exactly too: %s', async (format) => {
    const [exact, other] = [files('img_1.jpg')[format], files('IMG_1.JPG')[format]];
    const named = Object.entries(other).map(([path, text]) => [`other-${path}`, text] as const);
    const { labels, findings } = await readLabels({
      'img_1.jpg': '',
      ...exact,
      ...Object.fromEntries(named),
    });
    expect(labels).toEqual({ 'img_1.jpg': [cat(10, 20, 60, 80)] });
    expect(findings).toEqual([expect.objectContaining({ problem: 'no-image', labels: 1 })]);
  });

  test('are of none where files spell them in two ways', async () => {
    const { labels, findings } = await readLabels({
      'img_1.jpg': '',
      'x.json': coco({
        images: ['IMG_1.jpg', 'Img_1.JPG'].map((file_name, id) => ({ id, file_name })),
        annotations: [annotation([10, 20, 50, 60])],
      }),
    });
    expect(labels).toEqual({ 'img_1.jpg': null });
    expect(findings.filter(({ problem }) => problem === 'no-image').map((each) => each.labels)).toEqual([
      0, 1,
    ]);
  });

  test('are not looked for where an image has the name', async () => {
    const { labels, findings } = await readLabels({ 'img.jpg': '', 'IMG.JPG': '', ...files('IMG.JPG').coco });
    expect([labels['IMG.JPG']?.length, labels['img.jpg']]).toEqual([1, null]);
    expect(findings.map(({ problem }) => problem)).not.toContain('unclear');
  });
});

describe('KITTI', () => {
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
    const others = Array.from(
      { length: 60 },
      (_, at) => [`training/calib/${at}.txt`, 'P0: 1 2 3\n'] as const,
    );
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
    expect(findings).toContainEqual(
      expect.objectContaining({ problem: 'ignored-file', file: 'labels/b.txt' }),
    );
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
});

describe('Create ML', () => {
  test('coordinates are of the centre', async () => {
    const annotations = [{ label: 'cat', coordinates: { x: 35, y: 50, width: 50, height: 60 } }];
    const text = JSON.stringify([{ image: 'a.jpg', annotations }]);
    const { labels, plan, findings } = await readLabels({
      'train/a.jpg': '',
      'train/_annotations.createml.json': text,
    });
    expect([plan.format, labels, findings.filter(({ problem }) => problem !== 'ignored-file')]).toEqual([
      'createml',
      { 'train/a.jpg': [cat(10, 20, 60, 80)] },
      [],
    ]);
    expect(plan.images[0]?.split).toBe('train');
  });
});

test.each([
  [
    'createml',
    [
      { image: 'a.jpg', annotations: [] },
      { imageName: 'b.jpg', annotations: [{ label: 'cat' }, { label: 'dog' }] },
    ],
    { 'a.jpg': null, 'b.jpg': null },
    ['no-image', 2],
  ],
  [
    'createml',
    [{ image: 'a.jpg', annotations: { label: 'cat' } }],
    { 'a.jpg': null, 'b.jpg': null },
    ['bad-label', 1],
  ],
  [
    'via',
    { x: { filename: 'a.jpg', regions: [] }, y: { fileref: 'b.jpg', regions: [{}] } },
    { 'a.jpg': null, 'b.jpg': null },
    ['no-image', 1],
  ],
  ['via', { x: { filename: 'a.jpg', regions: 'none' } }, { 'a.jpg': null, 'b.jpg': null }, ['bad-label', 1]],
  [
    'cvat',
    '<annotations><image name="a.jpg"/><image><tag label="cat"/><tag label="dog"/></image></annotations>',
    { 'a.jpg': null, 'b.jpg': null },
    ['no-image', 2],
  ],
] as const)(
  'labels of an entry that cannot be read are in a finding, and no image is a negative: %s %j',
  async (format, content, expected, finding) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    const region = {
      shape_attributes: { name: 'rect', x: 1, y: 1, width: 9, height: 9 },
      region_attributes: { kind: 'cat' },
    };
    const more = {
      createml: [JSON.stringify([{ image: 'c.jpg', annotations: [{ label: 'cat' }] }]), 'json'],
      via: [JSON.stringify({ z: { filename: 'c.jpg', regions: [region] } }), 'json'],
      cvat: ['<annotations><image name="c.jpg"><tag label="cat"/></image></annotations>', 'xml'],
    } as const;
    const [other, ending] = more[format];
    const { plan, findings } = await readLabels(
      { 'a.jpg': '', 'b.jpg': '', 'c.jpg': '', [`x.${ending}`]: text, [`y.${ending}`]: other },
      { format, task: 'classification' },
    );
    const labels = plan.images.map((each) => [
      each.path,
      each.labels?.length === 0 && each.lost === 0 ? [] : null,
    ]);
    expect(Object.fromEntries(labels)).toMatchObject(expected);
    expect(findings.map(({ problem, labels: count }) => [problem, count])).toContainEqual(finding);
  },
);

describe('CVAT', () => {
  const cvat = (shapes: string) =>
    `<?xml version="1.0"?><annotations><version>1.1</version><meta><task><name>x</name></task></meta><image id="0" name="x/a.jpg" subset="Validation" width="640" height="480">${shapes}</image></annotations>`;

  test.each([
    ['box', 'xtl="10" ytl="20" xbr="60" ybr="80" occluded="0"', [10, 20, 60, 80], []],
    ['box', 'xtl="60" ytl="20" xbr="10" ybr="80"', [10, 20, 60, 80], ['box-swapped']],
    ['box', 'xtl="100" ytl="100" xbr="140" ybr="120" rotation="90"', [110, 90, 130, 130], ['outline-to-box']],
    ['polygon', 'points="10,20;60,20;30,80"', [10, 20, 60, 80], ['outline-to-box']],
    ['ellipse', 'cx="35" cy="50" rx="25" ry="30"', [10, 20, 60, 80], ['outline-to-box']],
    ['mask', 'rle="1,2" left="10" top="20" width="50" height="60"', [10, 20, 60, 80], ['outline-to-box']],
  ])('a %s with %s is read as its box', async (shape, places, corners, problems) => {
    const text = cvat(
      `<${shape} label="cat" source="manual" ${places} z_order="0"><attribute name="a">b</attribute></${shape}>`,
    );
    const { labels, plan, findings } = await readLabels({ 'a.jpg': '', 'annotations.xml': text });
    expect(labels['a.jpg']?.map(({ box }) => box?.map(Math.round))).toEqual([corners]);
    expect(findings.map(({ problem }) => problem)).toEqual(problems);
    expect([plan.format, plan.images[0]?.split]).toEqual(['cvat', 'held-out']);
  });

  test('tags are classes of the image, and names may be escaped', async () => {
    const files = { 'a.jpg': '', 'x.xml': cvat('<tag label="cat &amp; dog" source="manual"></tag>') };
    const { labels } = await readLabels(files, { task: 'classification' });
    expect(labels['a.jpg']).toEqual([{ className: 'cat & dog', box: null }]);
  });

  test('tracks of a video are refused with what to do', async () => {
    const text = '<annotations><track id="0" label="cat"><box frame="0" xtl="1"/></track></annotations>';
    await expect(readLabels({ 'a.jpg': '', 'x.xml': text })).rejects.toThrow(
      'export the task as "CVAT for images"',
    );
  });
});

describe('VGG Image Annotator', () => {
  const rect = { name: 'rect', x: 10, y: 20, width: 50, height: 60 };
  const region = (shape: object, attributes: object = { kind: 'cat' }) => ({
    shape_attributes: shape,
    region_attributes: attributes,
  });
  const entry = (regions: unknown) => ({
    'a.jpg1': { filename: 'a.jpg', size: 1, regions, file_attributes: {} },
  });

  test.each([
    ['a project', { _via_settings: {}, _via_img_metadata: entry([region(rect)]) }],
    ['annotations alone', entry([region(rect)])],
    ['annotations of version 1', entry({ '0': region(rect) })],
    ['a class among attributes', entry([region(rect, { colour: 'red', Class: 'cat' })])],
    ['a class beside an attribute that is empty', entry([region(rect, { Class: 'cat', quality: '' })])],
    ['a class of checkboxes', entry([region(rect, { kind: { cat: true } })])],
  ])('%s', async (_what, document) => {
    const { labels, plan } = await readLabels({ 'a.jpg': '', 'via.json': JSON.stringify(document) });
    expect([plan.format, labels]).toEqual(['via', { 'a.jpg': [cat(10, 20, 60, 80)] }]);
  });

  test.each([
    ['polygon', { all_points_x: [10, 60, 30], all_points_y: [20, 20, 80] }, [10, 20, 60, 80]],
    ['circle', { cx: 100, cy: 100, r: 20 }, [80, 80, 120, 120]],
    ['ellipse', { cx: 100, cy: 100, rx: 20, ry: 10 }, [80, 90, 120, 110]],
    ['ellipse', { cx: 100, cy: 100, rx: 20, ry: 10, theta: Math.PI / 2 }, [90, 80, 110, 120]],
  ])('a %s is the box around it', async (name, places, corners) => {
    const text = JSON.stringify(entry([region({ name, ...places })]));
    const { labels, findings } = await readLabels({ 'a.jpg': '', 'via.json': text });
    expect(labels['a.jpg']?.map(({ box }) => box?.map(Math.round))).toEqual([corners]);
    expect(findings).toContainEqual(expect.objectContaining({ problem: 'outline-to-box', labels: 1 }));
  });

  test.each([
    ['another attribute has a value', { class: '', occluded: 'yes' }],
    ['another attribute has a value, and the class none', { occluded: 'yes' }],
    ['several checkboxes are checked', { class: { cat: true, dog: true }, quality: 'good' }],
    ['none is checked', { class: { cat: false }, quality: 'good' }],
  ])('a region without a class is counted, and has no other one: %s', async (_what, attributes) => {
    const text = JSON.stringify(
      entry([region(rect, { class: 'cat', quality: 'bad' }), region(rect, attributes)]),
    );
    const { labels, plan, findings } = await readLabels({ 'a.jpg': '', 'via.json': text });
    expect([labels, plan.classes]).toEqual([{ 'a.jpg': [cat(10, 20, 60, 80)] }, ['cat']]);
    expect(findings.map(({ problem, labels: count }) => [problem, count])).toEqual([
      ['bad-label', 1],
      ['partly-labelled', 0],
    ]);
  });

  test('regions whose class nobody can know are counted, and so is a shape without a box', async () => {
    const unknown = JSON.stringify(entry([region(rect), region(rect, { a: 'cat', b: 'dog' })]));
    const shapes = JSON.stringify(entry([region(rect), region({ name: 'point' })]));
    for (const [text, taken] of [
      [unknown, 0],
      [shapes, 1],
    ] as const) {
      const { plan, findings } = await readLabels({ 'a.jpg': '', 'via.json': text });
      expect(plan.images[0]?.labels ?? []).toHaveLength(taken);
      const lost = findings.filter(({ problem }) => problem === 'bad-label');
      expect(lost.reduce((sum, each) => sum + each.labels, 0)).toBe(2 - taken);
    }
  });
});

describe('the list of images whose labels are not complete', () => {
  const files = {
    'images/a.jpg': '',
    'images/partly-labelled.jpg': '',
    'labels/a.txt': '0 .5 .5 .2 .2',
    'labels/partly-labelled.txt': '0 .5 .5 .2 .2',
    'data.yaml': yaml,
  };
  const read = async (tree: Tree) => {
    const { images, findings } = await readTree(tree, null);
    const said = images.map(({ labels, isIncomplete }) => [labels?.length, isIncomplete ?? false]);
    return { said, problems: findings.map(({ problem, file }) => [problem, file]) };
  };

  test('is not the file of labels of an image that is called so', async () => {
    expect((await read(treeOfTexts(files))).said).toEqual([
      [1, false],
      [1, false],
    ]);
  });

  test('names images from its own folder on', async () => {
    const nested = Object.entries(files).map(([path, text]) => [`set/${path}`, text] as const);
    const list = { 'set/partly-labelled.txt': 'images/a.jpg\nimages/gone.jpg' };
    expect(await read(treeOfTexts({ ...Object.fromEntries(nested), ...list }))).toEqual({
      said: [
        [1, true],
        [1, false],
      ],
      problems: [],
    });
  });

  test('ends no import when it cannot be read', async () => {
    const tree = treeOfTexts({ ...files, 'partly-labelled.txt': 'images/a.jpg' });
    const readText = async (path: string) => {
      if (path === 'partly-labelled.txt') throw new FormatError('it is damaged');
      return tree.readText(path);
    };
    const { said, problems } = await read({ ...tree, readText });
    expect(said.map(([count]) => count)).toEqual([1, 1]);
    expect(problems).toEqual([['ignored-file', 'partly-labelled.txt']]);
  });
});
