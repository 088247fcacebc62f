import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { callApi } from '../../../http/api/fixtures/call-api.js';
import { imageBytes, multipart } from '../../../http/fixtures/bodies.js';
import { found } from '../../../http/fixtures/scripted-runner.js';
import { isBehindNginx, startTestService, type TestService } from '../../../http/fixtures/test-service.js';
import { zipOf } from '../fixtures/zips.js';
import { importDataset } from '../import/import-dataset.js';
import { sweepEndedImports } from '../import/import-job.js';
import { datasetCalls } from './fixtures/dataset-calls.js';

let service: TestService;
let api: ReturnType<typeof datasetCalls>;
beforeAll(async () => {
  service = await startTestService({ maxImageBytes: 100_000 });
  api = datasetCalls(service);
});
afterEach(async () => {
  expect(await service.filesInSpool()).toEqual([]);
  await sweepEndedImports(service.database, service.imports, Date.now());
  // Findings are kept for some weeks.
  await sweepEndedImports(service.database, service.imports, Date.now() + 31 * 86_400_000);
  const left: string[] = [];
  for await (const { id } of service.imports.list()) left.push(id);
  expect(left).toEqual([]);
});
afterAll(() => service.stop());

const image = (seed: number) => imageBytes(1000 + seed);
const send = (id: number, zip: Buffer, query = '') => {
  let serial = 0;
  service.runner.script = async () => {
    serial += 1;
    const fingerprint = createHash('md5').update(`${id} ${serial}`).digest('hex');
    return { ...found, fingerprint: { fingerprint } };
  };
  return callApi(service, `/api/datasets/${id}/import${query}`, {
    method: 'POST',
    body: zip,
    headers: { 'content-type': 'application/zip' },
  });
};
async function ended(jobId: string) {
  for (;;) {
    const { json } = await api.get(`/api/jobs/${jobId}`);
    if (json.ended_at !== null) return json;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
async function importZip(id: number, files: Readonly<Record<string, string | Buffer>>, query = '') {
  const { status, json } = await send(id, await zipOf(files), query);
  expect([status, json.kind, json.subject]).toEqual([202, 'dataset-import', String(id)]);
  return ended(json.id);
}
interface Shown {
  readonly file_name: string;
  readonly split: string | null;
  readonly image: { readonly sha256: string };
  readonly labels: readonly { readonly class_id: number; readonly box: object | null }[] | null;
}
/** What a dataset says, without ids. */
async function saidOf(id: number) {
  const { classes } = (await api.get(`/api/datasets/${id}`)).json;
  const names = new Map(classes.map((each: { id: number; name: string }) => [each.id, each.name]));
  const { data } = (await api.get(`/api/datasets/${id}/images?limit=100`)).json as { data: Shown[] };
  const shown = data.map(({ file_name, split, labels, image: { sha256 } }) => ({
    file_name,
    split,
    sha256,
    labels: labels?.map(({ class_id, box }) => ({ name: names.get(class_id), box })) ?? null,
  }));
  return shown.sort((a, b) => (a.sha256 < b.sha256 ? -1 : 1));
}
const labelsOf = async (id: number) =>
  Object.fromEntries(
    (await saidOf(id)).map(({ file_name, split, labels }) => [file_name, { split, labels }]),
  );
const box = (x_min: number, y_min: number, x_max: number, y_max: number) => ({ x_min, y_min, x_max, y_max });

describe('a zip', () => {
  test('of folders named by class is imported with its splits, and what is wrong is reported', async () => {
    const id = await api.make();
    const files = {
      'animals/train/cat/1.jpg': image(1),
      'animals/val/cat/2.jpg': image(2),
      'animals/train/dog/3.jpg': image(3),
      'animals/train/dog/large.jpg': Buffer.alloc(100_001, 1),
      'animals/README.md': 'hello',
      '__MACOSX/animals/._1.jpg': 'x',
    };
    const job = await importZip(id, files);
    expect(job).toMatchObject({ state: 'done', progress: { stage: 'importing', done: 4, total: 4 } });
    expect(job.result).toMatchObject({
      format: 'folders',
      images: 4,
      added: 3,
      duplicates: 0,
      refused: 1,
      counts: { 'too-large': 1, 'few-images': 2 },
    });
    expect(await labelsOf(id)).toEqual({
      '1.jpg': { split: 'train', labels: [{ name: 'cat', box: null }] },
      '2.jpg': { split: 'held-out', labels: [{ name: 'cat', box: null }] },
      '3.jpg': { split: 'train', labels: [{ name: 'dog', box: null }] },
    });
    expect((await importZip(id, files)).result).toMatchObject({ added: 0, duplicates: 3 });
    const other = { 'animals/train/dog/again.jpg': image(1), 'animals/train/cat/again.jpg': image(2) };
    expect((await importZip(id, other)).result).toMatchObject({
      added: 0,
      duplicates: 2,
      counts: { 'labels-differ': 1, duplicate: 1 },
    });
    expect((await api.get(`/api/datasets/${id}`)).json.images).toBe(3);
  });

  test('of YOLO, COCO, Pascal VOC and CSV gives boxes, and reports those that cannot be used', async () => {
    const yolo = await api.make({ task: 'object_detection' });
    const byYolo = await importZip(yolo, {
      'data.yaml': 'path: .\nnames:\n  0: cell\n  1: dust\n',
      'images/train/a.jpg': image(11),
      'labels/train/a.txt': '0 0.5 0.5 0.25 0.5\n1 0.1 0.1 0.001 0.001\n7 0.5 0.5 0.1 0.1\nnonsense\n',
      'images/val/b.jpg': image(12),
      'labels/val/b.txt': '',
      'images/val/c.jpg': image(13),
      'labels/val/d.txt': '0 0.5 0.5 0.1 0.1',
    });
    expect(byYolo.result.counts).toMatchObject({
      'tiny-box': 1,
      'unknown-class': 1,
      'bad-label': 1,
      'no-labels': 1,
      'no-image': 1,
    });
    expect(await labelsOf(yolo)).toEqual({
      'a.jpg': { split: 'train', labels: [{ name: 'cell', box: box(240, 120, 400, 360) }] },
      'b.jpg': { split: 'held-out', labels: [] },
      'c.jpg': { split: 'held-out', labels: null },
    });

    const coco = await api.make({ task: 'object_detection' });
    const byCoco = await importZip(coco, {
      'annotations/instances_train.json': JSON.stringify({
        images: [
          { id: 1, file_name: 'a.jpg' },
          { id: 2, file_name: 'gone.jpg' },
        ],
        categories: [{ id: 3, name: 'cell' }],
        annotations: [
          { image_id: 1, category_id: 3, bbox: [10, 20, 30, 40] },
          { image_id: 1, category_id: 3, bbox: [700, 20, 30, 40] },
          { image_id: 1, category_id: 9, bbox: [1, 2, 3, 4] },
        ],
      }),
      'images/a.jpg': image(21),
    });
    expect(byCoco.result.counts).toMatchObject({ 'box-outside': 1, 'unknown-class': 1, 'no-image': 1 });
    expect(await labelsOf(coco)).toEqual({
      'a.jpg': { split: 'train', labels: [{ name: 'cell', box: box(10, 20, 40, 60) }] },
    });

    const voc = await api.make({ task: 'object_detection' });
    const object =
      '<object><name>a &amp; b</name><bndbox><xmin>1</xmin><ymin>2</ymin><xmax>30</xmax><ymax>40</ymax></bndbox></object>';
    await importZip(voc, {
      'JPEGImages/a.jpg': image(31),
      'Annotations/a.xml': `<annotation><filename>a.jpg</filename>${object}</annotation>`,
      'Annotations/b.xml': '<annotation><filename>',
      'ImageSets/Main/val.txt': 'a\n',
    });
    expect(await labelsOf(voc)).toEqual({
      'a.jpg': { split: 'held-out', labels: [{ name: 'a & b', box: box(1, 2, 30, 40) }] },
    });

    const csv = await api.make({ task: 'object_detection' });
    await importZip(csv, {
      'train.csv': 'filename,width,height,class,xmin,ymin,xmax,ymax\na.jpg,640,480,cell,1,2,30,40\n',
      'more.csv': 'TEST,gs://bucket/b.jpg,cell,0.25,0.5,,,0.5,1,,\n',
      'a.jpg': image(41),
      'b.jpg': image(42),
    });
    expect(await labelsOf(csv)).toEqual({
      'a.jpg': { split: 'train', labels: [{ name: 'cell', box: box(1, 2, 30, 40) }] },
      'b.jpg': { split: 'held-out', labels: [{ name: 'cell', box: box(160, 240, 320, 480) }] },
    });
  });

  test('of texts that are not in UTF-8 keeps the names of classes apart, and says which files it had to guess', async () => {
    const id = await api.make({ task: 'object_detection' });
    const job = await importZip(id, {
      'classes.txt': Buffer.from('Müll\nMäll\n', 'latin1'),
      'a.jpg': image(91),
      'a.txt': '0 .5 .5 .2 .2\n1 .5 .5 .4 .4\n',
    });
    expect(job.result.counts).toMatchObject({ encoding: 1 });
    const { labels } = (await labelsOf(id))['a.jpg'] ?? {};
    expect(labels?.map(({ name }) => name)).toEqual(['Müll', 'Mäll']);
  });

  test('ends with a report: what was taken, changed and refused, with examples, and all findings as a file', async () => {
    const id = await api.make({ task: 'object_detection' });
    const names = Array.from({ length: 20 }, (_, at) => `=${at}`);
    const lines = (at: number) =>
      at % 2 === 0 ? '0 .5 .5 .2 .2\n0 .1 .1 .5 .1 .5 .5 .9 .9 .4 .6\n' : '0 320 240 99 99\n';
    const files = names.flatMap((name, at) => [
      [`${name}.jpg`, image(400 + at)] as const,
      [`${name}.txt`, lines(at)] as const,
    ]);
    const { result, id: jobId } = await importZip(id, {
      ...Object.fromEntries(files),
      'data.yaml': 'names: [cell]',
    });
    expect(result).toMatchObject({
      images: 20,
      labels: { read: 30, taken: 20, changed: 10, refused: 10, present: 0 },
      counts: { 'box-outside': 10, 'outline-to-box': 10, 'no-labels': 10 },
      findings_file: { rows: 30, left_out: 0 },
    });
    const [refused, changed] = result.kinds;
    expect(refused).toMatchObject({ problem: 'box-outside', effect: 'refused', findings: 10, labels: 10 });
    expect(refused.examples).toHaveLength(3);
    expect(changed).toMatchObject({ problem: 'outline-to-box', effect: 'changed', labels: 10 });
    const check = (await api.get(`/api/datasets/${id}/check`)).json;
    expect(check.counts).toMatchObject({ 'no-labels': 10 });
    const fileOf = async (query: string) => {
      const path = `${service.base}/api/datasets/${id}/import/findings${query}`;
      const answer = await fetch(path, { headers: { 'x-api-key': service.key } });
      return [answer.status, answer.headers.get('content-type'), await answer.text()] as const;
    };
    const [status, type, csv] = await fileOf('');
    expect([status, type]).toEqual([200, 'text/csv; charset=utf-8']);
    const [heading, ...rows] = csv.trim().split('\n');
    expect(heading).toBe('problem,effect,file,image_id,labels,message');
    expect(rows).toHaveLength(30);
    // A spreadsheet computes nothing of it.
    expect(csv).not.toMatch(/,=/);
    const [, , jsonl] = await fileOf('?format=jsonl');
    const objects = jsonl
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(objects.map(({ effect: _, ...finding }) => finding)).toEqual(result.findings);
    expect((await api.get(`/api/jobs/${jobId}`)).json.result).toEqual(result);
    const other = await api.make();
    expect((await api.get(`/api/datasets/${other}/import/findings`)).status).toBe(404);
  });

  test.each([
    ['no zip', Buffer.from('PK nothing'), /no whole zip/],
    ['a cut zip', null, /no whole zip/],
    ['a zip without an image', { 'a.txt': 'x' }, /no image/],
    ['JSON that is none', { 'a.jpg': 'x', 'a.json': '{' }, /a.json is not JSON/],
    ['YAML with a bomb', { 'a.jpg': 'x', 'data.yaml': 'a: &a [1]\nnames: [*a, *a]' }, /not YAML/],
  ])('that is %s fails with a reason, and nothing is imported', async (_what, content, reason) => {
    const id = await api.make();
    const zip = Buffer.isBuffer(content) ? content : await zipOf(content ?? { 'a/a.jpg': image(1) });
    const { json } = await send(id, content === null ? zip.subarray(0, -30) : zip);
    expect(await ended(json.id)).toMatchObject({ state: 'failed', error: expect.stringMatching(reason) });
    expect((await api.get(`/api/datasets/${id}`)).json).toMatchObject({ images: 0, classes: [] });
  });

  test('comes as a part of a form too; an empty one is refused, and two at once', async () => {
    const id = await api.make();
    const form = multipart([
      { name: 'file', fileName: 'a.zip', content: await zipOf({ 'cat/a.jpg': image(1) }) },
    ]);
    const path = `/api/datasets/${id}/import`;
    const { json } = await callApi(service, path, { method: 'POST', body: form.body, headers: form.headers });
    expect((await ended(json.id)).result).toMatchObject({ added: 1 });
    const none = await send(id, Buffer.alloc(0));
    expect([none.status, none.json.code]).toEqual([400, 'no_file']);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const zip = await zipOf({ 'cat/b.jpg': image(2) });
    const first = await send(id, zip);
    service.runner.script = async () => {
      await held;
      return found;
    };
    const second = await send(id, zip);
    release();
    expect([first.status, [202, 409]]).toEqual([202, expect.arrayContaining([second.status])]);
    await ended(first.json.id);
    if (second.status === 202) await ended(second.json.id);
  });
});

// The job may run on the other replica, which has a spool of its own.
test.skipIf(isBehindNginx)('an import is done although there is no room for its findings', async () => {
  const id = await api.make();
  const held = service.spool.of(service.accountId).holdInMemory();
  for (const bytes of [2 ** 20, 2 ** 10, 1]) {
    try {
      for (;;) held.reserve(bytes);
    } catch (error) {
      expect(error).toMatchObject({ code: 'too_many_requests' });
    }
  }
  const job = await importZip(id, { 'cat/a.jpg': image(1), 'b.jpg': image(2) });
  held.release();
  expect(job).toMatchObject({ state: 'done', error: null, result: { added: 2, findings_file: null } });
  const missing = await api.get(`/api/datasets/${id}/import/findings`);
  expect([missing.status, missing.json.detail]).toEqual([
    404,
    expect.stringContaining('has the first thousand'),
  ]);
});

test('the findings of an import that failed are explained', async () => {
  const id = await api.make();
  await importZip(id, { 'a.txt': 'x' });
  const { status, json } = await api.get(`/api/datasets/${id}/import/findings`);
  expect([status, json.detail]).toEqual([404, expect.stringContaining('the error of its job says why')]);
});

test('an import that was interrupted is restarted, and reports what all of its attempts added', async () => {
  const id = await api.make();
  const { accountId, datasets: store, spool } = service;
  const dataset = await store.datasets.read(accountId, id);
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-import-'));
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
  const files = names.map((name, index) => [`cat/${name}.jpg`, image(200 + index)] as const);
  await writeFile(
    join(dir, 'a.zip'),
    await zipOf({ ...Object.fromEntries(files), 'dog/twin.jpg': image(200) }),
  );
  type OnProgress = (done: number, total: number, hasAdded: boolean) => void;
  const begin = (signal: AbortSignal, onProgress: OnProgress, sinceMs: number) =>
    importDataset(
      { store, spool, maxImageBytes: 100_000 },
      accountId,
      dataset,
      { kind: 'zip', path: join(dir, 'a.zip') },
      { format: null, sinceMs, signal, onProgress },
    );
  service.runner.script = async () => found;
  const sinceMs = Date.now();
  const cut = new AbortController();
  const first = begin(cut.signal, (done) => done === 3 && cut.abort(new Error('cut')), sinceMs);
  await expect(first).rejects.toThrow('cut');
  expect((await api.get(`/api/datasets/${id}`)).json.images).toBeLessThan(10);
  const report = await begin(new AbortController().signal, () => undefined, sinceMs);
  expect(report).toMatchObject({ images: 11, added: 10, duplicates: 1 });
  expect((await api.get(`/api/datasets/${id}`)).json.images).toBe(10);
  // One that ends its service at the same image each time may not be begun for ever.
  const kept: boolean[] = [];
  await begin(new AbortController().signal, (_done, _total, hasAdded) => kept.push(hasAdded), sinceMs);
  expect([kept.length, new Set(kept)]).toEqual([12, new Set([false])]);
  await rm(dir, { recursive: true });
});

describe('an exported dataset', () => {
  async function roundTrip(from: number, format: string, fields: object) {
    const answer = await fetch(`${service.base}/api/datasets/${from}/export?format=${format}`, {
      headers: { 'x-api-key': service.key },
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
    const to = await api.make(fields);
    const { json } = await send(to, Buffer.from(await answer.arrayBuffer()), `?format=${format}`);
    expect(await ended(json.id)).toMatchObject({ state: 'done' });
    return to;
  }

  test.each(['coco', 'voc', 'yolo', 'csv'])(
    'with boxes says the same when it is imported: %s',
    async (format) => {
      const fields = { task: 'object_detection' };
      const id = await api.make(fields);
      await importZip(id, {
        'data.yaml': 'names: ["a cell", "d/u&s%t", "unused"]',
        'images/train/one.jpg': image(51),
        'labels/train/one.txt': '0 0.5 0.5 0.21 0.53\n1 0.3 0.3 0.1 0.123\n0 0.5 0.5 0.2 0.2\n',
        'images/val/two.jpg': image(52),
        'labels/val/two.txt': '1 0.25 0.25 0.5 0.5\n',
        'images/other/three.jpg': image(53),
        'labels/other/three.txt': '',
        'images/other/four, "4".jpg': image(54),
      });
      const again = await roundTrip(id, format, fields);
      const rounded = (said: unknown) =>
        JSON.parse(JSON.stringify(said), (_key, value) =>
          typeof value === 'number' ? Math.round(value * 1000) / 1000 : value,
        );
      expect(rounded(await saidOf(again))).toEqual(rounded(await saidOf(id)));
    },
  );

  test.each(['folders', 'csv', 'coco'])(
    'with classes says the same when it is imported: %s',
    async (format) => {
      const id = await api.make();
      await importZip(id, {
        'train/a b/1.jpg': image(61),
        'val/.dot%2Fs/2.jpg': image(62),
        'x/_none/3.jpg': image(63),
        '4.jpg': image(64),
      });
      expect(await saidOf(await roundTrip(id, format, {}))).toEqual(await saidOf(id));
    },
  );

  test('of a kind that its format cannot say is refused with those that can', async () => {
    const { status, json } = await api.get(`/api/datasets/${await api.make()}/export?format=voc`);
    expect([status, json.detail]).toEqual([
      400,
      'voc cannot say what this dataset holds: take one of folders, csv, coco',
    ]);
  });
});

describe('a job', () => {
  test('is followed by events until its end', async () => {
    const id = await api.make();
    const { json } = await send(id, await zipOf({ 'cat/a.jpg': image(1) }));
    const answer = await fetch(`${service.base}/api/jobs/${json.id}/events`, {
      headers: { 'x-api-key': service.key },
    });
    expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const text = await answer.text();
    expect(text).toMatch(/event: end\ndata: \{.*"state":"done".*\}\n\n$/);
    const list = (await api.get('/api/jobs?kind=dataset-import&limit=1')).json;
    const job = (await api.get(`/api/jobs/${json.id}`)).json;
    const { findings: _, ...result } = job.result;
    expect(list.data).toEqual([{ ...job, result }]);
    expect(list.next_cursor).not.toBeNull();
    const next = await api.get(`/api/jobs?limit=1&cursor=${list.next_cursor}`);
    expect(next.json.data[0].id).not.toBe(json.id);
  });

  test('that is cancelled ends, and an unknown one is not found', async () => {
    const id = await api.make();
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`cat/${n}.jpg`, image(100 + n)]));
    const { json } = await send(id, await zipOf(files));
    service.runner.script = async () => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      return found;
    };
    expect((await api.remove(`/api/jobs/${json.id}`)).status).toBe(200);
    expect(await ended(json.id)).toMatchObject({ state: 'cancelled', result: null });
    expect((await api.get(`/api/jobs/${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}`)).status).toBe(404);
    expect((await api.get('/api/jobs/x')).status).toBe(404);
  });
});
