import { expect, test } from 'vitest';
import { readLabels } from '../fixtures/read-labels.js';

const cat = (...box: readonly number[]) => ({ className: 'cat', box });
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
])('a file of VIA is read: %s', async (_what, document) => {
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
