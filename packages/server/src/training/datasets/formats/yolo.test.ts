import { expect, test } from 'vitest';
import { readLabels } from '../fixtures/read-labels.js';

const cat = (...box: readonly number[]) => ({ className: 'cat', box });
const yaml = 'names: [cat]';
const points3 = '.45 .4 2 .55 .4 1 .45 .6 2 .55 .6 0';

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

test.each(["'cat, dog'", 'cat,dog', `"['cat', 'dog']"`, '|\n  cat\n  dog'])(
  'the names of data.yaml may be one text: %s',
  async (names) => {
    const files = { 'a.jpg': '', 'a.txt': '1 .5 .5 .2 .4', 'data.yaml': `names: ${names}\n` };
    const { plan, labels } = await readLabels(files);
    expect(plan.classes).toEqual(['cat', 'dog']);
    expect(labels['a.jpg']?.map(({ className }) => className)).toEqual(['dog']);
  },
);

test('the names of data.yaml may be in a file that it names', async () => {
  const files = {
    'a.jpg': '',
    'a.txt': '0 .5 .5 .2 .4',
    'data.yaml': 'names: obj.names\n',
    'obj.names': 'cat\n',
  };
  expect((await readLabels(files)).plan.classes).toEqual(['cat']);
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
