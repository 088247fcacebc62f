import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { imageBytes } from '../../../http/fixtures/bodies.js';
import { found } from '../../../http/fixtures/scripted-runner.js';
import { startTestService, type TestService } from '../../../http/fixtures/test-service.js';
import type { Dataset } from '../dataset.js';
import { zipOf } from '../fixtures/zips.js';
import { type ImportReport, importDataset } from '../import/import-dataset.js';

let service: TestService;
let dir: string;
let orientation = 1;
beforeAll(async () => {
  service = await startTestService();
  dir = await mkdtemp(join(tmpdir(), 'lynceus-import-again-'));
  const { analyse } = service.runner;
  service.runner.script = async (_signal, image) => ({
    ...found,
    fingerprint: { fingerprint: fingerprintOf(image) },
  });
  // Images of 640 x 480 as they are seen.
  service.runner.analyse = async (...given) => {
    const analysis = await analyse(...given);
    return { ...analysis, image: { ...analysis.image, orientation } };
  };
});
afterAll(async () => {
  await service.stop();
  await rm(dir, { recursive: true });
});

/** Images of odd lengths look nearly alike. */
function fingerprintOf(image: Buffer): string {
  const ofBytes = createHash('md5').update(image).digest('hex');
  return image.length % 2 === 0 ? ofBytes : `${'0'.repeat(31)}${image.length % 8}`;
}

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'z/a'];
const images = Object.fromEntries(
  names.map((name, at) => [`${name}.jpg`, imageBytes(9000 + (name === 'z/a' ? 0 : at))]),
);
const long = 'x'.repeat(300);
/** Good and lost labels by image, as a class and a box; f has none, and the image of e is listed without any. */
const labels: Readonly<Record<string, readonly (readonly [string, readonly number[]])[]>> = {
  a: [
    ['cat', [10, 20, 60, 80]],
    ['cat', [10, 20, 60, 80]],
  ],
  b: [['cat', [900, 900, 990, 990]]],
  c: [
    ['dog', [10, 20, 60, 80]],
    ['dog', [10, 20, 10, 20]],
    [long, [10, 20, 60, 80]],
  ],
  d: [['dog', [-50, 20, 60, 80]]],
  e: [],
  'z/a': [['cat', [10, 20, 60, 80]]],
};
const listed = Object.entries(labels);

function coco(width: number, height: number): Readonly<Record<string, string>> {
  const classes = ['cat', 'dog', long];
  return {
    'x.json': JSON.stringify({
      images: listed.map(([name], id) => ({ id, file_name: `${name}.jpg`, width, height })),
      categories: classes.map((name, id) => ({ id, name })),
      annotations: listed.flatMap(([, own], image_id) =>
        own.map(([name, [x = 0, y = 0, right = 0, bottom = 0]]) => ({
          image_id,
          category_id: classes.indexOf(name),
          bbox: [x, y, right - x, bottom - y],
        })),
      ),
    }),
  };
}

function voc(width: number, height: number): Readonly<Record<string, string>> {
  const sides = ['xmin', 'ymin', 'xmax', 'ymax'];
  const files = listed.map(([name, own]) => {
    const objects = own.map(([className, box]) => {
      const corners = sides.map((side, at) => `<${side}>${box[at]}</${side}>`).join('');
      return `<object><name>${className}</name><bndbox>${corners}</bndbox></object>`;
    });
    const size = `<size><width>${width}</width><height>${height}</height></size>`;
    return [`${name}.xml`, `<annotation>${size}${objects.join('')}</annotation>`] as const;
  });
  return Object.fromEntries(files);
}

const yolo = Object.fromEntries([
  ['data.yaml', 'names: [cat, dog]'],
  ...listed.map(([name, own]) => {
    const lines = own.map(([className, [x = 0, y = 0, right = 0, bottom = 0]]) => {
      const box = [(x + right) / 1280, (y + bottom) / 960, (right - x) / 640, (bottom - y) / 480];
      return [className === 'cat' ? 0 : className === 'dog' ? 1 : 7, ...box].join(' ');
    });
    return [`${name}.txt`, lines.join('\n')];
  }),
]);

const rows = listed.flatMap(([name, own]) =>
  own.length === 0
    ? [`${name}.jpg,,,,,`]
    : own.map(([className, box]) => [`${name}.jpg`, className, ...box].join(',')),
);
const csv = { 'x.csv': ['file,class,x1,y1,x2,y2', ...rows].join('\n') };

const cases: readonly (readonly [string, Dataset['task'], number, Readonly<Record<string, string>>])[] = [
  ['COCO', 'object_detection', 1, coco(640, 480)],
  ['COCO of turned images, before their turn', 'object_detection', 6, coco(480, 640)],
  ['COCO of other images', 'object_detection', 1, coco(480, 640)],
  ['VOC of images after a half turn', 'object_detection', 3, voc(640, 480)],
  ['YOLO', 'object_detection', 6, yolo],
  ['CSV', 'object_detection', 1, csv],
  ['COCO, as classes', 'classification', 1, coco(640, 480)],
  ['CSV, as classes', 'classification', 1, csv],
];

async function newDataset(task: Dataset['task']): Promise<Dataset> {
  const { datasets } = service.datasets;
  const multiLabel = task === 'classification';
  return datasets.create(service.accountId, { name: randomUUID(), task, multiLabel });
}

async function importInto(
  dataset: Dataset,
  files: Readonly<Record<string, string>>,
  {
    sinceMs = Date.now(),
    stopAt = Infinity,
    job,
  }: { readonly sinceMs?: number; readonly stopAt?: number; readonly job?: string } = {},
): Promise<ImportReport> {
  const path = join(dir, `${randomUUID()}.zip`);
  await writeFile(path, await zipOf({ ...images, ...files }));
  const stop = new AbortController();
  const { datasets: store, spool } = service;
  return importDataset(
    { store, spool, maxImageBytes: 100_000 },
    service.accountId,
    dataset,
    { kind: 'zip', path },
    {
      format: null,
      sinceMs,
      ...(job !== undefined && { job, lastClassId: 0 }),
      signal: stop.signal,
      onProgress: (done) => done >= stopAt && stop.abort(new Error('stopped')),
    },
  );
}

/** Without what depends on the dataset and on the order in which images come. */
function summary({ findings, kinds, ...report }: ImportReport) {
  return {
    ...report,
    kinds: kinds.map(({ examples: _, ...kind }) => kind).sort((a, b) => (a.problem < b.problem ? -1 : 1)),
    // Of images that are alike, the one that comes later is reported.
    findings: findings
      .filter(({ problem }) => problem !== 'near-duplicate')
      .map(({ imageId: _, ...finding }) => JSON.stringify(finding))
      .sort(),
  };
}

/** An import resumes below the formats: enough are boxes before and after a turn, and classes. The last test has all cases. */
const casesOf = (wanted: readonly string[]) => cases.filter(([name]) => wanted.includes(name));

test.each(casesOf(['COCO of turned images, before their turn', 'YOLO', 'CSV, as classes']))(
  'an import that is interrupted gives the report of one that is not: %s',
  async (...[, task, turn, files]) => {
    orientation = turn;
    const whole = summary(await importInto(await newDataset(task), files));
    expect(whole.counts['near-duplicate']).toBe(2);
    const dataset = await newDataset(task);
    const sinceMs = Date.now();
    const options = { sinceMs, job: randomUUID() };
    await expect(importInto(dataset, files, { ...options, stopAt: 3 })).rejects.toThrow('stopped');
    expect(summary(await importInto(dataset, files, options))).toEqual(whole);
  },
);

test.each(casesOf(['VOC of images after a half turn', 'CSV', 'COCO, as classes']))(
  'an interrupted import that labels images of the dataset gives the report of one that is not interrupted: %s',
  async (...[, task, turn, files]) => {
    orientation = turn;
    const [wholly, dataset] = [await newDataset(task), await newDataset(task)];
    for (const each of [wholly, dataset]) await importInto(each, {});
    const whole = summary(await importInto(wholly, files, { job: randomUUID() }));
    const options = { sinceMs: Date.now() + 60_000, job: randomUUID() };
    await expect(importInto(dataset, files, { ...options, stopAt: 3 })).rejects.toThrow('stopped');
    expect(summary(await importInto(dataset, files, options))).toEqual(whole);
  },
);

test('classes of labels of which none can be used are not left, and those that files define are', async () => {
  const dataset = await newDataset('object_detection');
  const { classes } = service.datasets;
  await classes.add(service.accountId, dataset.id, 'own');
  const names = async () => (await classes.list(service.accountId, dataset.id)).map(({ name }) => name);
  const image = Object.keys(images)[0] ?? '';
  await importInto(dataset, {
    'x.csv': `file,class,x1,y1,x2,y2\n${image},Cat,1,1,20,20\n${image},cat,9000,1,9900,20\ngone.jpg,dog,1,1,20,20\n`,
  });
  expect(await names()).toEqual(['own', 'Cat']);
  await importInto(dataset, {
    'x.json': JSON.stringify({
      images: [{ id: 1, file_name: image }],
      categories: ['unused', 'lost'].map((name, id) => ({ id, name })),
      annotations: [{ image_id: 1, category_id: 1, bbox: [9000, 1, 20, 20] }],
    }),
  });
  expect(await names()).toEqual(['own', 'Cat', 'unused']);
});

test('a class that a user adds while an import waits or runs stays, and only classes of the files are in findings', async () => {
  const dataset = await newDataset('object_detection');
  const { classes } = service.datasets;
  const names = async () => (await classes.list(service.accountId, dataset.id)).map(({ name }) => name);
  const image = Object.keys(images)[0] ?? '';
  const files = { 'x.csv': `file,class,x1,y1,x2,y2\n${image},cat,1,1,20,20\n${image},dog,9000,1,9900,20\n` };
  // The classes of the dataset were none when the job was inserted.
  await classes.add(service.accountId, dataset.id, 'wolf');
  const { findings } = await importInto(dataset, files, { job: randomUUID() });
  expect(await names()).toEqual(['wolf', 'cat']);
  const few = findings.filter(({ problem }) => problem === 'few-images').map(({ message }) => message);
  expect(few).toEqual([expect.stringContaining('"cat"')]);
  // One of the files too, as a user may add it before a first attempt.
  await classes.add(service.accountId, dataset.id, 'dog');
  await importInto(dataset, files);
  expect(await names()).toEqual(['wolf', 'cat', 'dog']);
});

test.each(cases)(
  'a second import refuses what the first refused, and has the rest already: %s',
  async (...[, task, turn, files]) => {
    orientation = turn;
    const dataset = await newDataset(task);
    const first = await importInto(dataset, files);
    const second = await importInto(dataset, files, { sinceMs: Date.now() + 60_000 });
    const refusals = (report: ImportReport) =>
      Object.fromEntries(
        report.kinds
          .filter(({ effect }) => effect === 'refused')
          .map(({ problem, labels: count }) => [problem, count]),
      );
    expect(first.labels.read).toBeGreaterThan(7);
    expect(first.labels.refused).toBeGreaterThan(0);
    expect([second.added, second.duplicates, refusals(second)]).toEqual([0, names.length, refusals(first)]);
    const { read, taken, refused, present } = first.labels;
    expect(second.labels).toEqual({ read, taken: 0, changed: 0, refused, present: taken + present });
    expect(second.counts['no-labels']).toBe(first.counts['no-labels']);
  },
);
