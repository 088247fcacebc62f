import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { imageBytes } from '../../../http/fixtures/bodies.js';
import { found } from '../../../http/fixtures/scripted-runner.js';
import { startTestService, type TestService } from '../../../http/fixtures/test-service.js';
import { zipOf } from '../fixtures/zips.js';
import { importDataset } from '../import/import-dataset.js';
import { datasetCalls } from './fixtures/dataset-calls.js';

let service: TestService;
let dir: string;
beforeAll(async () => {
  service = await startTestService();
  dir = await mkdtemp(join(tmpdir(), 'lynceus-partly-'));
  service.runner.script = async (_signal, image) => ({
    ...found,
    fingerprint: { fingerprint: createHash('md5').update(image).digest('hex') },
  });
});
afterAll(async () => {
  await service.stop();
  await rm(dir, { recursive: true });
});

const names = ['a', 'b', 'c', 'd'];
const cat = '0 .3 .3 .2 .2';
/** A cat and a dog in each; of the dogs, those named here are written in pixels. */
const yolo = (lost: readonly string[]) => [
  ['data.yaml', 'names: [cat, dog]'] as const,
  ...names.map((name, at) => [`${name}.jpg`, imageBytes(7000 + at)] as const),
  ...names.map((name) => {
    const dog = lost.includes(name) ? '1 320 240 100 100' : '1 .7 .7 .2 .2';
    return [`${name}.txt`, `${cat}\n${dog}`] as const;
  }),
];

const importYolo = (datasetId: number, lost: readonly string[]) => importFiles(datasetId, yolo(lost));

async function importFiles(datasetId: number, files: readonly (readonly [string, string | Buffer])[]) {
  const path = join(dir, 'a.zip');
  await writeFile(path, await zipOf(Object.fromEntries(files)));
  const { datasets: store, spool, accountId } = service;
  const dataset = await store.datasets.read(accountId, datasetId);
  const options = { format: null, signal: new AbortController().signal, onProgress: () => undefined };
  return importDataset(
    { store, spool, maxImageBytes: 100_000 },
    accountId,
    dataset,
    { kind: 'zip', path },
    // Images of earlier imports are duplicates, not those of an attempt that was interrupted.
    { ...options, sinceMs: Date.now() + 60_000 },
  );
}

test('an image that lost some labels in an import is marked until its labels are saved or imported whole', async () => {
  const api = datasetCalls(service);
  const id = await api.make({ task: 'object_detection' });
  const marked = async () => {
    const { json } = await api.get(`/api/datasets/${id}/images`);
    const images = json.data as { file_name: string; partly_labelled: boolean; labels: object[] }[];
    return images
      .filter((image) => image.partly_labelled)
      .map(({ file_name, labels }) => `${file_name}: ${labels.length}`)
      .sort();
  };
  const ofTraining = () =>
    service.datasets.useTrainingSet(service.accountId, id, async ({ images }) =>
      images.filter(({ isPartlyLabelled }) => isPartlyLabelled),
    );

  const first = await importYolo(id, ['a', 'b']);
  expect(first.counts['partly-labelled']).toBe(2);
  expect(await marked()).toEqual(['a.jpg: 1', 'b.jpg: 1']);
  expect(await ofTraining()).toHaveLength(2);
  const check = await api.get(`/api/datasets/${id}/check`);
  expect(check.json.counts['partly-labelled']).toBe(2);

  const { json } = await api.get(`/api/datasets/${id}/images?search=a.jpg`);
  const [{ id: imageId, labels }] = json.data;
  const saved = await api.put(`/api/datasets/${id}/images/${imageId}/labels`, { labels });
  expect([saved.status, saved.json.partly_labelled]).toEqual([200, false]);
  expect(await marked()).toEqual(['b.jpg: 1']);

  const again = await importYolo(id, ['b']);
  expect(again.counts['partly-labelled']).toBe(1);
  expect(await marked()).toEqual(['b.jpg: 1']);

  const whole = await importYolo(id, []);
  // What a user saved stays.
  expect([whole.counts['labels-differ'], whole.labels.taken]).toEqual([2, 2]);
  expect(await marked()).toEqual([]);
  expect(await ofTraining()).toEqual([]);
});

test.each([
  ['an empty file', ''],
  ['another class', '2 .3 .3 .2 .2'],
  ['another place', '0 .6 .6 .2 .2'],
])('labels of a partly labelled image stay where an import has %s for it', async (_what, text) => {
  const api = datasetCalls(service);
  const id = await api.make({ task: 'object_detection' });
  await importYolo(id, ['a']);
  const report = await importFiles(id, [
    ['data.yaml', 'names: [cat, dog, horse]'],
    ['a.jpg', imageBytes(7000)],
    ['a.txt', text],
  ]);
  expect(report.counts['labels-differ']).toBe(1);
  const { json } = await api.get(`/api/datasets/${id}/images?search=a.jpg`);
  expect(json.data).toMatchObject([{ partly_labelled: true, labels: [{ box: { x_min: 128, y_min: 96 } }] }]);
});
