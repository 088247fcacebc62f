import { expect, test } from 'vitest';
import { treeOfTexts } from '../fixtures/text-tree.js';
import type { ReadableFormat } from './plan.js';
import { readTree } from './read-tree.js';

const xml = (name: string, x: number) =>
  `<annotation><filename>1.jpg</filename><object><name>${name}</name><bndbox><xmin>${x}</xmin><ymin>1</ymin><xmax>20</xmax><ymax>20</ymax></bndbox></object></annotation>`;
const coco = (name: string) =>
  JSON.stringify({
    images: [{ id: 1, file_name: '1.jpg' }],
    categories: [{ id: 1, name }],
    annotations: [{ image_id: 1, category_id: 1, bbox: [1, 1, 9, 9] }],
  });
const heading = 'filename,class,xmin,ymin,xmax,ymax';

/** What it is planned to say of each image: its split and its classes. */
async function saidOf(files: Readonly<Record<string, string>>, format: ReadableFormat | null = null) {
  const { images } = await readTree(treeOfTexts(files), format);
  return Object.fromEntries(
    images.map(({ path, split, labels }) => [
      path,
      [split, labels?.map(({ className }) => className) ?? null],
    ]),
  );
}

const twoFolders = { 'train/1.jpg': '', 'valid/1.jpg': '' };
const both = { 'train/1.jpg': ['train', ['a']], 'valid/1.jpg': ['held-out', ['b']] };

test.each([
  [
    'COCO beside its images',
    { ...twoFolders, 'train/_annotations.coco.json': coco('a'), 'valid/_annotations.coco.json': coco('b') },
  ],
  [
    'COCO whose files tell the split',
    {
      ...twoFolders,
      'annotations/instances_train.json': coco('a'),
      'annotations/instances_val.json': coco('b'),
    },
  ],
  ['Pascal VOC', { ...twoFolders, 'train/1.xml': xml('a', 1), 'valid/1.xml': xml('b', 2) }],
  [
    'Pascal VOC without the names of files',
    {
      ...twoFolders,
      'train/1.xml': xml('a', 1).replace('<filename>1.jpg', '<filename>old.jpg'),
      'valid/1.xml': xml('b', 2).replace('<filename>1.jpg', '<filename>old.jpg'),
    },
  ],
  [
    'CSV a split',
    {
      ...twoFolders,
      'train_labels.csv': `${heading}\n1.jpg,a,1,1,9,9\n`,
      'validation_labels.csv': `${heading}\n1.jpg,b,1,1,9,9\n`,
    },
  ],
  [
    'CSV with a column for the split',
    { ...twoFolders, 'labels.csv': 'filename,split,class\n1.jpg,val,b\n1.jpg,train,a\n' },
  ],
  [
    'YOLO with labels in a tree of their own',
    {
      ...twoFolders,
      'data.yaml': 'names: [a, b]',
      'boxes/train/1.txt': '0 .5 .5 .2 .2',
      'boxes/valid/1.txt': '1 .5 .5 .2 .2',
    },
  ],
])('images of one name in two folders keep their own labels: %s', async (_format, files) => {
  expect(await saidOf(files)).toEqual(both);
});

test('an image without a list of boxes does not get that of another one of its name', async () => {
  const files = {
    'images/train/1.jpg': '',
    'images/val/1.jpg': '',
    'labels/train/1.txt': '0 .5 .5 .2 .2',
    'data.yaml': 'names: [a]',
  };
  expect(await saidOf(files)).toEqual({
    'images/train/1.jpg': ['train', ['a']],
    'images/val/1.jpg': ['held-out', null],
  });
});

test('a list of boxes whose name only begins like that of a read-me is a list of boxes', async () => {
  const files = {
    'images/readme_photo.jpg': '',
    'labels/readme_photo.txt': '0 .5 .5 .2 .2',
    'data.yaml': 'names: [a]',
  };
  expect(await saidOf({ ...files, 'README.roboflow.txt': 'hello' })).toEqual({
    'images/readme_photo.jpg': [null, ['a']],
  });
});

test.each([
  [{ 'x/1.jpg': [null, null], 'y/1.jpg': [null, null] }, 'labels/1.txt'],
  [{ 'x/1.jpg': [null, null], 'y/1.jpg': [null, null] }, 'boxes/1.txt'],
  [{ 'x/img1.jpg': [null, null], 'y/img1.jpg': [null, null] }, 'labels/IMG1.txt'],
  [{ 'x/IMG1.jpg': [null, ['a']], 'y/img1.jpg': [null, null] }, 'labels/IMG1.txt'],
  [{ 'train/1.jpg': ['train', ['a']], 'val/1.jpg': ['held-out', null] }, 'boxes/train/1.txt'],
  [{ 'x/img1.jpg': [null, ['a']] }, 'labels/IMG1.txt'],
])('a list of boxes in another folder is of one image, or of none: %j', async (said, list) => {
  const images = Object.fromEntries(Object.keys(said).map((path) => [path, '']));
  const files = { ...images, [list]: '0 .5 .5 .2 .2', 'data.yaml': 'names: [a]' };
  const { findings } = await readTree(treeOfTexts(files), 'yolo');
  const isTaken = Object.values(said).some(([, labels]) => labels !== null);
  expect(findings.filter(({ problem }) => problem === 'no-image').map(({ labels }) => labels)).toEqual(
    isTaken ? [] : [1],
  );
  expect(await saidOf(files, 'yolo')).toEqual(said);
});

const bare = ['1.jpg', 'a/1.jpg'] as const;
const cocoOf = (...names: readonly string[]) =>
  JSON.stringify({
    images: names.map((file_name, id) => ({ id, file_name })),
    categories: [{ id: 1, name: 'a' }],
    annotations: names.map((_name, id) => ({ image_id: id, category_id: 1, bbox: [1, 1, 9, 9] })),
  });
const csvOf = (...names: readonly string[]) =>
  [heading, ...names.map((name) => `${name},a,1,1,9,9`)].join('\n');

/** How many labels are planned, by image, and how many are in findings of images that are not there. */
async function countsOf(files: Readonly<Record<string, string>>) {
  const { images, findings } = await readTree(treeOfTexts(files), null);
  const gone = findings.filter(({ problem }) => problem === 'no-image');
  return {
    labels: Object.fromEntries(images.map(({ path, labels }) => [path, labels?.length ?? null])),
    gone: gone.reduce((sum, { labels }) => sum + labels, 0),
  };
}

test.each([
  ['two names, one image', ['a/1.jpg', 'b/1.jpg'], { 'x/1.jpg': null }, 2],
  ['of two machines', ['C:\\a\\1.jpg', '/b/1.jpg'], { 'x/1.jpg': null }, 2],
  ['one of them is its path', ['x/1.jpg', 'b/1.jpg'], { 'x/1.jpg': 1 }, 1],
  ['one of them is its path in the folder of a split', ['x/1.jpg', 'b/1.jpg'], { 'train/x/1.jpg': 1 }, 1],
  ['one of them has no folders', bare, { 'x/1.jpg': 1 }, 1],
  ['one name with folders of another machine', ['a/1.jpg', 'a/1.jpg'], { 'x/1.jpg': 2 }, 0],
  ['one name spelled in two ways', ['./a/1.jpg', 'a\\1.jpg'], { 'x/1.jpg': 2 }, 0],
  ['one name is the whole path of one of two', ['1.jpg', 'x/1.jpg'], { '1.jpg': 1, 'x/1.jpg': 1 }, 0],
  ['one name, two images', ['1.jpg'], { 'x/1.jpg': null, 'y/1.jpg': null }, 1],
  ['one name with other folders, two images', ['a/1.jpg'], { 'x/1.jpg': null, 'y/1.jpg': null }, 1],
])('a label is of the image that its file names, or of none: %s', async (_what, names, labels, gone) => {
  const images = Object.fromEntries(Object.keys(labels).map((path) => [path, '']));
  for (const files of [{ 'x.json': cocoOf(...names) }, { 'x.csv': csvOf(...names) }])
    expect(await countsOf({ ...images, ...files })).toEqual({ labels, gone });
});

test.each([
  [
    'two files of one name',
    { 'a/boxes.csv': csvOf('1.jpg'), 'b/boxes.csv': csvOf('1.jpg') },
    { 'x/1.jpg': 1 },
    0,
  ],
  [
    'two files of one name that say different things, and another image of the name',
    { 'x/a/boxes.csv': csvOf('1.jpg'), 'x/b/boxes.csv': `${heading}\n1.jpg,b,5,5,9,9\n` },
    { 'x/1.jpg': null, 'y/1.jpg': null },
    2,
  ],
  [
    'two files of one name that say the same, and another image of the name',
    { 'x/a/boxes.csv': csvOf('1.jpg'), 'x/b/boxes.csv': csvOf('1.jpg') },
    { 'x/1.jpg': 1, 'y/1.jpg': null },
    0,
  ],
  [
    'a file that names it with its folders beside that of its own folder',
    { 'x/boxes.csv': csvOf('1.jpg'), 'boxes.csv': `${heading}\nx/1.jpg,b,5,5,9,9\n` },
    { 'x/1.jpg': 2 },
    0,
  ],
  [
    'the same file as that of its own folder',
    { 'a/boxes.csv': csvOf('1.jpg'), 'b/boxes.csv': csvOf('1.jpg') },
    { 'a/1.jpg': 1 },
    0,
  ],
  [
    'a file that contradicts that of its own folder',
    { 'a/boxes.csv': csvOf('1.jpg'), 'b/boxes.csv': `${heading}\n1.jpg,b,5,5,9,9\n` },
    { 'a/1.jpg': 1 },
    1,
  ],
  [
    'lists of two splits',
    { 'train_boxes.csv': csvOf('1.jpg'), 'valid_boxes.csv': csvOf('1.jpg') },
    { 'valid/1.jpg': 1 },
    1,
  ],
  [
    'two files of other names',
    { 'a.csv': csvOf('1.jpg'), 'b.csv': csvOf('images/1.jpg') },
    { 'x/1.jpg': 1 },
    0,
  ],
  ['XML in two folders', { 'a/1.xml': xml('a', 1), 'b/1.xml': xml('a', 1) }, { 'x/1.jpg': 1 }, 0],
  [
    'XML that is called as another image',
    { 'a/2.xml': xml('a', 1) },
    { 'a/1.jpg': null, 'a/2.jpg': null },
    1,
  ],
  [
    'XML without a name, for two images of one stem',
    { 'a/1.xml': xml('a', 1).replace('<filename>1.jpg</filename>', '') },
    { 'a/1.jpg': null, 'a/1.png': null },
    1,
  ],
  [
    'lists of YOLO in two folders',
    { 'data.yaml': 'names: [a]', 'a/1.txt': '0 .5 .5 .2 .2', 'b/1.txt': '0 .5 .5 .2 .2' },
    { 'x/1.jpg': null },
    2,
  ],
])('files that name one image mean it, or none does: %s', async (_what, files, labels, gone) => {
  const images = Object.fromEntries(Object.keys(labels).map((path) => [path, '']));
  expect(await countsOf({ ...images, ...files })).toEqual({ labels: expect.objectContaining(labels), gone });
});

test.each([
  ['COCO', { 'annotations/instances_default.json': coco('a'), 'backup/instances_default.json': coco('a') }],
  ['Pascal VOC', { 'Annotations/1.xml': xml('a', 1), 'Annotations_old/1.xml': xml('a', 1) }],
  ['CSV', { 'ann/l.csv': csvOf('1.jpg'), 'ann_old/l.csv': csvOf('1.jpg') }],
  ['CSV a split', { 'train/l.csv': csvOf('1.jpg'), 'valid/l.csv': csvOf('1.jpg') }],
])('two files of one name that say the same are one: %s', async (_format, files) => {
  const { images, findings } = await readTree(treeOfTexts({ 'images/1.jpg': '', ...files }), null);
  expect(images.map(({ labels }) => labels?.length)).toEqual([1]);
  expect(findings.map(({ problem, labels }) => [problem, labels])).toEqual([['repeated-label', 1]]);
});

test('files of one name that say different things of the only image of a name are united, with a finding', async () => {
  const other = `${heading}\n1.jpg,b,5,5,9,9\n`;
  const files = { 'images/1.jpg': '', 'ann/l.csv': csvOf('1.jpg'), 'ann_old/l.csv': other };
  const { images, findings } = await readTree(treeOfTexts(files), null);
  expect(images.map(({ labels }) => labels?.map(({ className }) => className))).toEqual([['a', 'b']]);
  expect(findings.map(({ problem }) => problem)).toEqual(['unclear']);
});

test('a label of a file that is farther from the image is not said to be of one that is not there', async () => {
  const other = `${heading}\n1.jpg,b,5,5,9,9\n`;
  const files = { 'x/1.jpg': '', 'x/l.csv': csvOf('1.jpg'), 'ann_old/l.csv': other };
  const { findings } = await readTree(treeOfTexts(files), null);
  expect(findings).toEqual([
    expect.objectContaining({ problem: 'no-image', message: expect.stringContaining('nearer') }),
  ]);
});

test('a list of YOLO that two images are called as is in a finding', async () => {
  const files = { 'a/1.jpg': '', 'a/1.png': '', 'a/1.txt': '0 .5 .5 .2 .2', 'data.yaml': 'names: [a]' };
  const { findings } = await readTree(treeOfTexts(files), null);
  expect(findings).toContainEqual(expect.objectContaining({ problem: 'unclear', file: 'a/1.txt' }));
});
