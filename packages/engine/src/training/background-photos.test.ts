import { readFile } from 'node:fs/promises';
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { backgroundsFolder, readBackgroundPhotos, withoutLabels } from './background-photos.js';

const read = async (name: string) => JSON.parse(await readFile(new URL(name, backgroundsFolder), 'utf8'));
const bytesOf = async (name: string) =>
  brotliDecompressSync(await readFile(new URL(name, backgroundsFolder))).length;
const named = (title: string) => [{ id: '1', title }];

test('every photograph has its author, its origin and a free licence', async () => {
  const free =
    /^(contents )?(CC0-1\.0|CC-BY(-SA)?-[234]\.\d|public domain|Apache-2\.0)|public domain, CC0 or BSD/i;
  for (const { name, licence, author, origin } of await readBackgroundPhotos()) {
    expect([name, licence]).toEqual([name, expect.stringMatching(free)]);
    expect([name, author.length > 0, origin.length > 0]).toEqual([name, true, true]);
  }
});

test('there is a feature of every photograph, and cells of every view', async () => {
  const photos = await readBackgroundPhotos();
  const { dims } = await read('inception-v3.json');
  expect(await bytesOf('inception-v3.bin')).toBe(photos.length * dims);
  const { cells } = await read('coco-ssd.json');
  const dimsOfLevels = [576, 1280, 512, 256, 256, 128];
  const ofView = dimsOfLevels.reduce((sum, each, level) => sum + each * cells[level], 0);
  const views = photos.reduce((sum, photo) => sum + photo.views, 0);
  expect(await bytesOf('coco-ssd.bin')).toBe(views * ofView);
});

test('a photograph that shows a label is no background, in the singular or the plural', async () => {
  const photos = await readBackgroundPhotos();
  const showing = photos.filter(({ shows }) => shows.includes('cat')).length;
  expect(showing).toBeGreaterThan(2);
  expect(withoutLabels(photos, named('My Cats'))).toHaveLength(photos.length - showing);
  expect(withoutLabels(photos, named('raccoon'))).toHaveLength(photos.length);
});
