import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { table, tinyNet } from './fixtures/tiny-nets.js';
import { makeUploads, type Uploads } from './fixtures/upload.js';
import type { ImportOptions } from './import-options.js';

let uploads: Uploads;
beforeAll(async () => {
  uploads = await makeUploads();
});
afterAll(() => uploads.close());

const cells = 84;
const ultralytics = { names: "{0: 'cat', 1: 'dog'}", stride: '32', imgsz: '[64, 64]', task: 'detect' };
/** YOLOv8 of `classes` numbers after each box. */
const columns = (classes: number, metadata = {}) =>
  tinyNet({
    outputs: [{ name: 'output0', ...table(cells, 4 + classes, { 3: [32, 32, 32, 48, 0.9] }, true) }],
    metadata,
  });
const rows = (metadata = {}) =>
  tinyNet({ outputs: [{ name: 'output0', ...table(30, 6, { 0: [16, 8, 48, 56, 0.9, 1] }) }], metadata });
const pair = (scores: number) =>
  tinyNet({
    outputs: [
      { name: 'logits', ...table(30, scores, { 3: [4] }) },
      { name: 'pred_boxes', ...table(30, 4, { 3: [0.5, 0.5, 0.5, 0.75] }) },
    ],
  });
const classifier = (numbers: readonly number[], metadata = {}) =>
  tinyNet({ outputs: [{ name: 'y', dims: [1, numbers.length], numbers }], metadata });

describe('labels fewer than the names in the file are refused of', () => {
  test.each([
    ['a detector with columns', columns(2, ultralytics)],
    ['finished boxes', rows(ultralytics)],
    ['a classifier', classifier([0.2, 0.8], { names: "{0: 'cat', 1: 'dog'}" })],
  ])('%s', async (_name, net) => {
    await expect(uploads.upload({ 'm.onnx': net }, { labels: ['cat'] })).rejects.toThrow(
      'the file names 2 classes (cat, dog); give as many labels, not 1, or none',
    );
  });
});

test('as many labels as the file has names replace them', async () => {
  const { record } = await uploads.upload(
    { 'm.onnx': columns(2, ultralytics) },
    { labels: ['Katze', 'Hund'] },
  );
  expect(record.plan.labels).toEqual(['Katze', 'Hund']);
});

describe('what has no label is taken for something else, and a note reports it:', () => {
  test.each<[string, Uint8Array, ImportOptions, RegExp]>([
    [
      'the last of scores that DETR has',
      pair(3),
      { labels: ['cat', 'dog'] },
      /the last is taken for "nothing"/,
    ],
    ['several scores of a box', pair(4), { labels: ['cat', 'dog'] }, /4 scores, .* the last 2 are not read/],
    [
      'the background of a classifier',
      classifier([0.2, 0.5, 0.3]),
      { labels: ['cat', 'dog'] },
      /3 numbers and there are 2 labels; the first number is taken for the background .* Give 3 labels/,
    ],
  ])('%s', async (_name, net, options, note) => {
    const { record } = await uploads.upload({ 'm.onnx': net }, options);
    expect(record.notes.filter((each) => note.test(each))).toHaveLength(1);
  });
});

describe('columns that nothing explains are refused:', () => {
  test.each<[string, Uint8Array, ImportOptions, string]>([
    [
      'more than the names of the file and its task',
      columns(5, ultralytics),
      {},
      '5 more, which 2 labels and the task detect do not explain',
    ],
    [
      'a class without a label',
      columns(2),
      { labels: ['cat'], layout: 'yolov8' },
      '2 more, which 1 label does not explain; give a label for each class',
    ],
  ])('%s', async (_name, net, options, message) => {
    await expect(uploads.upload({ 'm.onnx': net }, options)).rejects.toThrow(message);
  });
});

test('a background that the options or the names of the file tell needs no note or more labels', async () => {
  const numbers = [0.2, 0.5, 0.3];
  const told = await uploads.upload(
    { 'm.onnx': classifier(numbers) },
    { labels: ['cat', 'dog'], firstClass: 1 },
  );
  const named = classifier(numbers, { names: "{0: 'background', 1: 'cat', 2: 'dog'}" });
  const found = await uploads.upload({ 'm.onnx': named }, { labels: ['cat', 'dog'] });
  expect([told, found].map(({ record }) => record.plan.labels)).toEqual([
    ['cat', 'dog'],
    ['cat', 'dog'],
  ]);
  expect(told.record.notes.join()).not.toContain('background');
});
