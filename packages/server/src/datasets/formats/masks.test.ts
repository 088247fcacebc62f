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
