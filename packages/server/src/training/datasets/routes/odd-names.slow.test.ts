import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callApi } from '../../../http/api/fixtures/call-api.js';
import { imageBytes } from '../../../http/fixtures/bodies.js';
import { found } from '../../../http/fixtures/scripted-runner.js';
import { startTestService, type TestService } from '../../../http/fixtures/test-service.js';
import { zipOf } from '../fixtures/zips.js';
import { datasetCalls } from './fixtures/dataset-calls.js';

let service: TestService;
let api: ReturnType<typeof datasetCalls>;
beforeAll(async () => {
  service = await startTestService();
  api = datasetCalls(service);
});
afterAll(() => service.stop());

async function importZip(id: number, zip: Buffer, query = '') {
  let serial = 0;
  service.runner.script = async () => {
    serial += 1;
    return {
      ...found,
      fingerprint: { fingerprint: createHash('md5').update(`${id} ${serial}`).digest('hex') },
    };
  };
  const { json } = await callApi(service, `/api/datasets/${id}/import${query}`, {
    method: 'POST',
    body: zip,
    headers: { 'content-type': 'application/zip' },
  });
  for (;;) {
    const job = (await api.get(`/api/jobs/${json.id}`)).json;
    if (job.ended_at !== null) return job;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** How many images show each class. */
async function shownOf(id: number) {
  const { classes } = (await api.get(`/api/datasets/${id}`)).json;
  return Object.fromEntries(
    classes.map(({ name, images }: { name: string; images: number }) => [name, images]),
  );
}

const oddNames = [
  ...['photo.txt', 'labels.csv', 'data.yaml', 'x.zip', 'README', 'classes.jpg', 'Thumbs.db', '.hidden'],
  ...['notice.png', 'License.jpg', 'readme first.jpg', 'a.names', '__MACOSX', 'instances.json', 'a.xml'],
];

test.each([
  ['classification', 'folders'],
  ['classification', 'csv'],
  ['classification', 'coco'],
  ['object_detection', 'csv'],
  ['object_detection', 'coco'],
  ['object_detection', 'voc'],
  ['object_detection', 'yolo'],
])('images named like other files are exported so that they come back: %s as %s', async (task, format) => {
  const id = await api.make({ task });
  const { json } = await api.send(
    `/api/datasets/${id}/images`,
    oddNames.map((name) => ({ name })),
  );
  const { id: classId } = (await api.post(`/api/datasets/${id}/classes`, { name: 'cat' })).json;
  const box = { x_min: 10, y_min: 20, x_max: 200, y_max: 300 };
  for (const { image_id } of json.data) {
    const labels = [{ class_id: classId, ...(task === 'object_detection' && { box }) }];
    await api.put(`/api/datasets/${id}/images/${image_id}/labels`, { labels });
  }
  const answer = await fetch(`${service.base}/api/datasets/${id}/export?format=${format}`, {
    headers: { 'x-api-key': service.key },
  });
  const to = await api.make({ task });
  const job = await importZip(to, Buffer.from(await answer.arrayBuffer()));
  expect(job).toMatchObject({ state: 'done', result: { format, added: oddNames.length, counts: {} } });
  expect(await shownOf(to)).toEqual({ cat: oddNames.length });
});

test('a spreadsheet saved as UTF-16 is read', async () => {
  const id = await api.make();
  const table = Buffer.from('\ufefffile\tclass\r\na.jpg\tKätzchen\r\n', 'utf16le');
  await importZip(id, await zipOf({ 'a.jpg': imageBytes(1001), 'labels.csv': table }));
  expect(await shownOf(id)).toEqual({ Kätzchen: 1 });
});

test('an import into a dataset whose classes are many takes those that there is room for, and names the others', async () => {
  const id = await api.make({ task: 'object_detection' });
  const names = (from: number, count: number) =>
    `names: [${Array.from({ length: count }, (_, index) => `c${from + index}`).join(', ')}]`;
  const list = '0 .5 .5 .2 .2\n1 .5 .5 .2 .2\n2 .5 .5 .2 .2';
  await importZip(id, await zipOf({ 'a.jpg': imageBytes(1002), 'data.yaml': names(0, 999) }));
  const more = { 'b.jpg': imageBytes(1003), 'b.txt': list, 'data.yaml': names(998, 3) };
  const job = await importZip(id, await zipOf(more));
  expect(job).toMatchObject({ state: 'done', result: { added: 1, counts: { 'unknown-class': 1 } } });
  const [finding] = job.result.findings;
  expect(finding).toMatchObject({
    problem: 'unknown-class',
    message: expect.stringContaining('1000 classes'),
  });
  expect(await shownOf(id)).toMatchObject({ c998: 1, c999: 1 });
}, 300_000);

test('a zip of which no image can be taken fails with the reason, not as one without images', async () => {
  const id = await api.make();
  const zip = await zipOf({ 'aa/cat.jpg': imageBytes(1004) });
  const outside = Buffer.from(zip.toString('latin1').replaceAll('aa/cat.jpg', '../cat.jpg'), 'latin1');
  const job = await importZip(id, outside);
  expect(job).toMatchObject({
    state: 'failed',
    error: expect.stringMatching(/its name leads out of the zip/),
  });
});

test('a zip whose names begin with ./ is read like any other', async () => {
  const id = await api.make();
  const plain = await zipOf({ 'a/cat/2.jpg': imageBytes(1006) });
  await importZip(id, Buffer.from(plain.toString('latin1').replaceAll('a/cat', './cat'), 'latin1'));
  expect(await shownOf(id)).toEqual({ cat: 1 });
});
