import { expect, test } from 'vitest';
import { readLabels } from '../fixtures/read-labels.js';

const cat = (...box: readonly number[]) => ({ className: 'cat', box });

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
