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
