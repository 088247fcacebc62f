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

test.each([
  ['ImageId', 'label,xmin,ymin,xmax,ymax', 'cat,0,0,60,80', [0, 0, 60, 80]],
  ['ImageId', 'label,xmin,ymin,xmax,ymax', 'cat,.25,.5,.5,1', [160, 240, 320, 480]],
  ['imageid', 'confidence,class,x_center,y_center,w,h', '0,cat,35,50,50,60', [10, 20, 60, 80]],
])('a column %s beside %s, %s is measured by its numbers', async (id, columns, cells, box) => {
  const { labels } = await readLabels({ 'a.jpg': '', 'x.csv': `${id},${columns}\na,${cells}\n` });
  expect(labels).toEqual({ 'a.jpg': [cat(...box)] });
});

test.each([
  ['class', ['', ''], ['cat', 'dog'], [['cat'], ['dog']], 0],
  ['class', ['1', ''], ['cat', 'dog'], [['cat'], ['dog']], 0],
  ['class', ['cat', '', 'dog'], ['cat', 'dog', 'dog'], [['cat'], ['dog'], ['dog']], 0],
  ['class', ['cat', '', ''], ['cat', '7', ''], [['cat'], null, []], 1],
  ['class', ['cat', ''], ['', 'photo 5'], [['cat'], null], 1],
])(
  'a label beside an empty cell of %s is read or lost: %j and %j',
  async (heading, cells, others, expected, lost) => {
    const files = Object.fromEntries(cells.map((_cell, at) => [`${at}.jpg`, '']));
    const lines = cells.map((cell, at) => `${at}.jpg,${cell},${others[at]}`);
    const text = [`file,${heading},label`, ...lines].join('\n');
    const { labels, findings } = await readLabels({ ...files, 'x.csv': text }, { task: 'classification' });
    expect(cells.map((_cell, at) => labels[`${at}.jpg`]?.map((each) => each.className) ?? null)).toEqual(
      expected,
    );
    const bad = findings.filter(({ problem }) => problem === 'bad-label');
    expect(bad.reduce((sum, each) => sum + each.labels, 0)).toBe(lost);
  },
);

test('a column of several classes is read where that of one is empty', async () => {
  const { classes } = await classesOf('class,tags', '","cat|dog');
  expect(classes).toEqual([['cat', 'dog']]);
});

const boxCases: readonly (readonly [string, string, readonly number[]])[] = [
  ['bbox_x,bbox_y,bbox_width,bbox_height', '10,20,50,60', [10, 20, 60, 80]],
  ['xmin,ymin,width,height', '10,20,50,60', [10, 20, 60, 80]],
  ['left,top,w,h', '10,20,50,60', [10, 20, 60, 80]],
  ['x_center,y_center,width,height', '35,50,50,60', [10, 20, 60, 80]],
  ['cx,cy,w,h,width,height', '35,50,50,60,640,480', [10, 20, 60, 80]],
  ['h,w,cy,cx', '60,50,50,35', [10, 20, 60, 80]],
  ['width,height,xmin,ymin,xmax,ymax,x_center,y_center', '640,480,10,20,60,80,35,50', [10, 20, 60, 80]],
  ['x_center_norm,y_center_norm,w,h,x1,y1,x2,y2', '.1,.1,50,60,10,20,60,80', [10, 20, 60, 80]],
  ['x_center_norm,y_center_norm,w_norm,h_norm', '.25,.5,.1,.2', [128, 192, 192, 288]],
  ['xmin_normalized,ymin_normalized,xmax_normalized,ymax_normalized', '.25,.5,.5,1', [160, 240, 320, 480]],
  [
    'bbox_x,bbox_y,bbox_width,bbox_height,image_width,image_height',
    '20,40,100,120,1280,960',
    [10, 20, 60, 80],
  ],
];

test.each(boxCases)('boxes are read as their heading says: %s', async (columns, cells, corners) => {
  for (const separator of [',', ';', '\t', '|']) {
    const lines = [`file,${columns},class`, `a.jpg,${cells},cat`, ''].join('\r\n').replaceAll(',', separator);
    const { labels } = await readLabels({ 'a.jpg': '', 'x.csv': `\uFEFF${lines}` });
    expect(labels['a.jpg']?.map(({ box }) => box?.map(Math.round))).toEqual([corners]);
  }
});

test.each(['x,y,width,height', 'x,y,w,h', 'bbox'])(
  'boxes whose heading may mean several are in a finding that says what to write: %s',
  async (columns) => {
    const cells = columns === 'bbox' ? '"[1,2,30,40]"' : '10,20,50,60';
    const { labels, findings } = await readLabels({
      'a.jpg': '',
      'x.csv': `file,class,${columns}\na.jpg,cat,${cells}\n`,
    });
    expect(labels).toEqual({ 'a.jpg': null });
    expect(findings.filter((each) => each.labels > 0)).toEqual([
      expect.objectContaining({ problem: 'no-box', labels: 1 }),
    ]);
    expect(findings).toContainEqual(
      expect.objectContaining({ problem: 'unclear', message: expect.stringContaining('bbox_x, bbox_y') }),
    );
  },
);

test('lines of keras-retinanet have a box in pixels, and other lines of numbers without a heading are refused', async () => {
  const text = 'a.jpg,10,20,60,80,cat\nb.jpg,,,,,\nc.jpg,cat,10,20,60,80\n';
  const { labels, findings, plan } = await readLabels({
    'a.jpg': '',
    'b.jpg': '',
    'c.jpg': '',
    'x.csv': text,
  });
  expect(labels).toEqual({ 'a.jpg': [cat(10, 20, 60, 80)], 'b.jpg': [], 'c.jpg': null });
  expect(findings.filter((each) => each.labels > 0)).toEqual([
    expect.objectContaining({ problem: 'bad-label', labels: 1, message: expect.stringContaining('heading') }),
  ]);
  expect(plan.classes).toEqual(['cat']);
});

/** The classes of the images, in their order, as classification reads them. */
async function classesOf(heading: string, ...cells: readonly string[]) {
  const files = Object.fromEntries(cells.map((_cell, at) => [`${at}.jpg`, '']));
  const lines = cells.map((cell, at) => `${at},"${cell}"`);
  const text = [`image_name,${heading}`, ...lines].join('\n');
  const { labels, findings } = await readLabels({ ...files, 'x.csv': text }, { task: 'classification' });
  return {
    classes: cells.map((_cell, at) => labels[`${at}.jpg`]?.map((each) => each.className) ?? null),
    findings,
  };
}

test.each([
  ['tags', ['cat|dog', 'cat'], [['cat', 'dog'], ['cat']]],
  ['labels', ['cat; dog', ''], [['cat', 'dog'], []]],
  ['tags', ['cat, dog', 'dog'], [['cat', 'dog'], ['dog']]],
  ['tags', ["['cat', 'guide dog']", '[]'], [['cat', 'guide dog'], []]],
  ['class', ["['cat', 'dog']", 'cat'], [['cat', 'dog'], ['cat']]],
  ['Finding Labels', ['cat|dog', 'dog'], [['cat', 'dog'], ['dog']]],
  ['class', ['cat|dog', 'cat', 'dog'], [['cat', 'dog'], ['cat'], ['dog']]],
  ['class', ['tench, Tinca tinca', 'cat'], [['tench, Tinca tinca'], ['cat']]],
  ['class', ['golden retriever', 'cat'], [['golden retriever'], ['cat']]],
  ['tags', ['guide dog|cat', 'guide dog'], [['guide dog', 'cat'], ['guide dog']]],
])(
  'a cell of several classes is split where the separator is clear: %s %j',
  async (heading, cells, expected) => {
    const { classes, findings } = await classesOf(heading, ...cells);
    expect(classes).toEqual(expected);
    expect(findings).toEqual([]);
  },
);

test('words between spaces that recombine are classes, with a finding', async () => {
  const { classes, findings } = await classesOf(
    'tags',
    'haze primary',
    'clear primary',
    'haze',
    'clear',
    'haze water',
    'water',
  );
  expect(classes.slice(0, 2)).toEqual([
    ['haze', 'primary'],
    ['clear', 'primary'],
  ]);
  expect(findings).toEqual([
    expect.objectContaining({ problem: 'unclear', message: expect.stringContaining('spaces') }),
  ]);
});

test('words between spaces that may be one class are refused, and single ones are taken', async () => {
  const { classes, findings } = await classesOf('tags', 'golden retriever', 'cat');
  expect(classes).toEqual([null, ['cat']]);
  expect(findings.filter((each) => each.labels > 0)).toEqual([
    expect.objectContaining({ problem: 'bad-label', labels: 1, message: expect.stringContaining('|') }),
  ]);
});

test('a cell of one class that has a separator is in a finding', async () => {
  const { classes, findings } = await classesOf('class', 'cat|dog', 'cat');
  expect(classes).toEqual([['cat|dog'], ['cat']]);
  expect(findings).toEqual([
    expect.objectContaining({ problem: 'unclear', message: expect.stringContaining('tags') }),
  ]);
});

test('of columns that may both say the class, the one with names is read, with a finding', async () => {
  const { labels, findings } = await readLabels(
    { 'a.jpg': '', 'x.csv': 'file,class,label_name\na.jpg,3,cat\n' },
    { task: 'classification' },
  );
  expect(labels).toEqual({ 'a.jpg': [{ className: 'cat', box: null }] });
  expect(findings).toEqual([expect.objectContaining({ problem: 'unclear' })]);
});

test('a column a class may be of other spellings beside a split, and a cell that is neither is a lost label', async () => {
  const text = 'filename,split,cat,dog\na.jpg,train,True,False\nb.jpg,val,1.0,0\nc.jpg,val,?,1\n';
  const { labels, plan, findings } = await readLabels(
    { 'a.jpg': '', 'b.jpg': '', 'c.jpg': '', 'x.csv': text },
    { task: 'classification' },
  );
  const onlyCat = [{ className: 'cat', box: null }];
  expect(labels).toEqual({ 'a.jpg': onlyCat, 'b.jpg': onlyCat, 'c.jpg': null });
  expect(plan.images.map(({ split }) => split)).toEqual(['train', 'held-out', null]);
  expect(findings.filter((each) => each.labels > 0)).toEqual([
    expect.objectContaining({ problem: 'bad-label', labels: 1 }),
  ]);
});

test("Open Images' identifiers get their names, and what was looked for in vain is no label", async () => {
  const files = {
    'a.jpg': '',
    'b.jpg': '',
    'labels.csv': 'ImageID,Source,LabelName,Confidence\na,x,/m/01yrx,1\na,x,/m/0bt9lr,0\nb,x,/m/0bt9lr,0\n',
    'class-descriptions.csv': '/m/01yrx,Cat\n/m/0bt9lr,"Dog, large"\n',
  };
  const { labels, findings, plan } = await readLabels(files, { task: 'classification' });
  expect(labels).toEqual({ 'a.jpg': [{ className: 'Cat', box: null }], 'b.jpg': null });
  expect(plan.classes).toEqual(['Cat']);
  const lost = findings.filter(({ problem }) => problem === 'bad-label');
  expect(lost.reduce((sum, each) => sum + each.labels, 0)).toBe(2);
});

test.each(['id,label', 'label,id', 'id,breed_a,label'])(
  'the column id of Kaggle names images: %s',
  async (heading) => {
    const cells: Record<string, string> = { id: 'a1', label: 'cat', breed_a: 'x' };
    const line = heading.split(',').map((name) => cells[name]);
    const files = { 'train/a1.jpg': '', 'labels.csv': `${heading}\n${line.join()}\n` };
    const { labels, findings } = await readLabels(files, { task: 'classification' });
    expect(labels).toEqual({ 'train/a1.jpg': [{ className: 'cat', box: null }] });
    expect(findings).toEqual([]);
  },
);

test('a first line whose class is called id is no heading', async () => {
  const files = { 'a.jpg': '', 'b.jpg': '', 'labels.csv': 'a.jpg,id\nb.jpg,cat\n' };
  const { labels } = await readLabels(files, { task: 'classification' });
  expect(labels['a.jpg']).toEqual([{ className: 'id', box: null }]);
});
