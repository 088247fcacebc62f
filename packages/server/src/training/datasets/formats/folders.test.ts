import { expect, test } from 'vitest';
import { isPassedOver } from '../../../storage/archive/file-tree.js';
import { readLabels } from '../fixtures/read-labels.js';
import { toFolder } from './folders.js';

/** What is read of these images: the class, null for no label, and the split. */
async function read(...paths: readonly string[]) {
  const files = Object.fromEntries(paths.map((path) => [path, '']));
  const { plan } = await readLabels(files, { task: 'classification', format: 'folders' });
  const byPath = new Map(plan.images.map((image) => [image.path, image]));
  const said = paths
    .filter((path) => byPath.has(path))
    .map((path) => [path, byPath.get(path)?.labels?.[0]?.className ?? null, byPath.get(path)?.split]);
  return { said, classes: plan.classes };
}

test.each([
  'images',
  'image',
  'IMG',
  'imgs',
  'data',
  'photos',
  'JPEGImages',
  'image_2',
  'train_images',
  'x/images',
])('a folder that says only what it holds is no class: %s', async (folder) => {
  const { said, classes } = await read(`${folder}/a.jpg`, 'import.jsonl');
  expect(said).toEqual([[`${folder}/a.jpg`, null, null]]);
  expect(classes).toEqual([]);
});

test.each([
  [
    ['train/a.jpg', 'val/b.jpg', 'test/c.jpg'],
    [null, null, null],
    ['train', 'held-out', 'held-out'],
  ],
  [
    ['set/train2017/a.jpg', 'set/val2017/b.jpg'],
    [null, null],
    ['train', 'held-out'],
  ],
  [
    ['images/train/a.jpg', 'images/val/b.jpg'],
    [null, null],
    ['train', 'held-out'],
  ],
  [
    ['train/cat/a.jpg', 'test/b.jpg'],
    ['cat', null],
    ['train', 'held-out'],
  ],
])('a folder of a split is no class: %j', async (paths, names, splits) => {
  const { said } = await read(...paths);
  expect(said).toEqual(paths.map((path, at) => [path, names[at], splits[at]]));
});

test.each([
  [
    ['train/n01/images/a.JPEG', 'train/n02/images/b.JPEG'],
    ['n01', 'n02'],
  ],
  [['train/n01/images/a.JPEG'], ['n01']],
  [
    ['tiny/train/n01/images/a.JPEG', 'tiny/val/images/b.JPEG'],
    ['n01', null],
  ],
  [
    ['cat/images/a.jpg', 'dog/images/b.jpg'],
    ['cat', 'dog'],
  ],
  [
    ['cat/train/a.jpg', 'cat/val/b.jpg', 'dog/train/c.jpg'],
    ['cat', 'cat', 'dog'],
  ],
])('the folder above it is the class: %j', async (paths, names) => {
  const { said } = await read(...paths);
  expect(said.map(([, name]) => name)).toEqual(names);
});

test.each([
  [
    ['car/a.jpg', 'train/b.jpg'],
    ['car', 'train'],
  ],
  [
    ['train/car/a.jpg', 'train/train/b.jpg'],
    ['car', 'train'],
  ],
  [
    ['photo/a.jpg', 'drawing/b.jpg'],
    ['photo', 'drawing'],
  ],
  [
    ['train_station/a.jpg', '1/b.jpg', 'images of cats/c.jpg'],
    ['train_station', '1', 'images of cats'],
  ],
])('beside a class it is a class: %j', async (paths, names) => {
  const { said } = await read(...paths);
  expect(said.map(([, name]) => name)).toEqual(names);
});

const systems = [
  '@eaDir',
  '#recycle',
  '$RECYCLE.BIN',
  'System Volume Information',
  'thumbs.db',
  '__MACOSX',
  '.x',
];
test.each(['train', 'Images', 'image_2', '%74rain', 'train/1', 'cat', '%2Eimages', ...systems])(
  'a class that is called as such a folder, or one that systems add, is itself after an export: %s',
  async (name) => {
    const path = `train/${toFolder(name)}/a.jpg`;
    expect(isPassedOver(path)).toBe(false);
    expect((await read(path)).classes).toEqual([name]);
  },
);

test.each(['%50', '%41bc', '%40home', '%23'])(
  'a name that looks encoded is the user’s own: %s',
  async (name) => {
    const { classes } = await read(`${name}/a.jpg`);
    expect(classes).toEqual([name]);
  },
);

test('files that may have labels, and that no format reads, are in findings', async () => {
  const { plan } = await readLabels(
    { 'images/a.jpg': '', 'import.jsonl': '{}', 'images/a.txt': '', 'README.txt': '', 'LICENSE.txt': '' },
    { task: 'classification' },
  );
  expect(plan.findings.map(({ problem }) => problem)).toEqual(['ignored-file', 'ignored-file']);
  expect(plan.findings).toContainEqual(
    expect.objectContaining({ problem: 'ignored-file', file: 'import.jsonl' }),
  );
});

test('of very many of them the rest is one finding', async () => {
  const texts = Array.from({ length: 1000 }, (_, at) => [`${at}.txt`, '']);
  const { plan } = await readLabels({ 'a.jpg': '', ...Object.fromEntries(texts) }, { format: 'folders' });
  expect(plan.findings).toHaveLength(301);
  expect(plan.findings.at(-1)?.message).toContain('700 more');
});

test('classes that differ in capital letters alone are in a finding', async () => {
  const { plan, findings } = await readLabels(
    { 'train/Cat/1.jpg': '', 'val/cat/2.jpg': '', 'val/dog/3.jpg': '' },
    { task: 'classification' },
  );
  expect(plan.classes).toEqual(['Cat', 'cat', 'dog']);
  expect(findings).toEqual([
    expect.objectContaining({ problem: 'unclear', message: expect.stringMatching(/^Cat and cat differ/) }),
  ]);
});
