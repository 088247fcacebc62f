import { describe, expect, test } from 'vitest';
import { readLabels } from '../fixtures/read-labels.js';

const treeOf = (...paths: readonly string[]) => Object.fromEntries(paths.map((path) => [path, '']));
const classification = { task: 'classification' } as const;

describe('masks of segmentation are no classes', () => {
  test.each([
    [['images/1.jpg', 'images/2.jpg', 'masks/1.png', 'masks/2.png'], 'masks'],
    [['set/images/1.jpg', 'set/labels/1.png'], 'set/labels'],
    [['train/images/1.png', 'train/masks/1.png', 'val/images/2.png', 'val/masks/2.png'], 'train/masks'],
    [['images/training/1.jpg', 'annotations/training/1.png'], 'annotations'],
    [['train/a.jpg', 'train_masks/a_mask.gif'], 'train_masks'],
    [['JPEGImages/1.jpg', 'SegmentationClass/1.png'], 'SegmentationClass'],
    [['1.jpg', 'mask/1.png'], 'mask'],
    [['segmentation/images/1.jpg', 'segmentation/masks/1.png'], 'segmentation/masks'],
    [['images/1.jpg', 'annotations/masks/1.png'], 'annotations'],
    [['images/1.jpg', 'masks/images/1.png'], 'masks'],
  ])('%j', async (paths, folder) => {
    const failure = await readLabels(treeOf(...paths), classification).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      name: 'FormatError',
      message: expect.stringMatching(`^${folder}: .*masks.*COCO`),
    });
  });
});

test('beside labels they are left out, with a finding that says what to do', async () => {
  const { labels, findings } = await readLabels({
    ...treeOf('images/1.jpg', 'masks/1.png'),
    'labels/1.txt': '0 .5 .5 .2 .2',
    'data.yaml': 'names: [cat]',
  });
  expect(Object.keys(labels)).toEqual(['images/1.jpg']);
  expect(labels['images/1.jpg']).toHaveLength(1);
  expect(findings).toContainEqual(
    expect.objectContaining({
      problem: 'ignored-file',
      file: 'masks',
      message: expect.stringContaining('COCO'),
    }),
  );
});

test.each([
  [
    ['mask/1.jpg', 'no_mask/1.jpg'],
    ['mask', 'no_mask'],
  ],
  [
    ['train/mask/1.png', 'train/no_mask/2.png', 'test/1.png', 'test/2.png'],
    ['mask', 'no_mask'],
  ],
  [
    ['mask/1.png', 'with_mask/2.png', 'images/1.png'],
    ['images', 'mask', 'with_mask'],
  ],
  [
    ['masks/1.png', 'hats/1.png'],
    ['hats', 'masks'],
  ],
  [
    ['images/1.jpg', 'masks/a.png', 'cat/2.jpg'],
    ['cat', 'images', 'masks'],
  ],
  [
    ['labels/a.png', 'boxes/b.png'],
    ['boxes', 'labels'],
  ],
])('folders that have the names of such and are classes stay classes: %j', async (paths, classes) => {
  expect((await readLabels(treeOf(...paths), classification)).plan.classes).toEqual(classes);
});

test('a folder that only has the word in its name makes no class of them', async () => {
  const { plan } = await readLabels(
    treeOf('images/1.jpg', 'masks/1.png', 'normal_masks/1.jpg'),
    classification,
  );
  expect(plan.findings.map(({ file }) => file)).toEqual(['masks']);
});

test('where folders are chosen as the format they are classes', async () => {
  const files = treeOf('images/1.jpg', 'masks/1.png');
  const { plan } = await readLabels(files, { ...classification, format: 'folders' });
  expect(plan.classes).toEqual(['images', 'masks']);
});

test.each([
  ['labels/1.png', ['images/1.png', 'labels/1.png'], 'labels/1.png'],
  ['labels/1.png', ['images/1.jpg', 'labels/1.png'], 'labels/1.png'],
  ['1.png', ['images/1.png', 'annotations/1.png'], 'images/1.png'],
])('an image that annotations name is none of them: %s', async (file_name, paths, named) => {
  const { labels, findings } = await readLabels({
    ...treeOf(...paths),
    'x.json': JSON.stringify({
      images: [{ id: 1, file_name }],
      categories: [{ id: 1, name: 'cat' }],
      annotations: [{ image_id: 1, category_id: 1, bbox: [10, 10, 50, 50] }],
    }),
  });
  expect(labels[named]).toHaveLength(1);
  const isMask = named.startsWith('images');
  expect(findings.filter(({ problem }) => problem === 'ignored-file')).toHaveLength(isMask ? 1 : 0);
});
