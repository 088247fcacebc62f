import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callApi } from '../../../http/api/fixtures/call-api.js';
import { startTestService, type TestService } from '../../../http/fixtures/test-service.js';
import { zipOf } from '../fixtures/zips.js';
import { datasetCalls } from './fixtures/dataset-calls.js';

let service: TestService;
let freeBytes: number;
const reserve = 1_000_000_000;
const start = async (limits = {}) => {
  freeBytes = 10 * reserve;
  service = await startTestService({ ...limits, diskReserveBytes: reserve, freeBytes: () => freeBytes });
  return datasetCalls(service);
};
afterEach(() => service.stop());
type Verdict = { outcome: string; problem: string | null; message: string | null };

describe('an account that has as much as it may have', () => {
  test('makes no dataset more until it has deleted one, however many ask at once', async () => {
    const api = await start({ accountMaxDatasets: 3 });
    const dataset = { name: 'a', task: 'classification' };
    const all = await Promise.all(Array.from({ length: 8 }, () => api.post('/api/datasets', dataset)));
    expect(all.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409, 409, 409]);
    const refused = await api.post('/api/datasets', dataset);
    expect(refused.json).toMatchObject({
      code: 'account_full',
      detail: 'an account has 3 datasets at most: delete one first',
    });
    const made = all.find(({ status }) => status === 201);
    await api.remove(`/api/datasets/${made?.json.id}`);
    expect((await api.post('/api/datasets', dataset)).status).toBe(201);
    const other = datasetCalls(service, (await service.makeKey('other')).key);
    expect((await other.post('/api/datasets', dataset)).status).toBe(201);
  });

  test('adds no image more, in whichever of its datasets, and answers which were', async () => {
    const api = await start({ accountMaxDatasetImages: 3 });
    const [one, two] = [await api.make(), await api.make()];
    await api.fill(one, 'cat', 2);
    const { status, json } = await api.send(`/api/datasets/${two}/images`, [
      { name: 'a.jpg' },
      { name: 'b.jpg' },
    ]);
    expect([status, json.data.map(({ outcome, problem }: Verdict) => [outcome, problem])]).toEqual([
      200,
      [
        ['added', null],
        ['refused', 'account-full'],
      ],
    ]);
    expect(json.data[1].message).toBe(
      'an account has 3 images at most in all its datasets: delete some first',
    );
  });

  test('adds none beyond its bytes either', async () => {
    const api = await start({ accountMaxDatasetImageBytes: 2500 });
    const { json } = await api.send(
      `/api/datasets/${await api.make()}/images`,
      ['a', 'b', 'c', 'd'].map((name) => ({ name: `${name}.jpg`, content: Buffer.alloc(1000, name) })),
    );
    expect(json.data.map(({ outcome }: Verdict) => outcome)).toEqual(['added', 'added', 'added', 'refused']);
  });
});

describe('a disk that is nearly full', () => {
  let api: Awaited<ReturnType<typeof start>>;
  let id: number;
  beforeEach(async () => {
    api = await start();
    id = await api.make();
  });

  test('takes no image more, answers so for each, and keeps those that are there', async () => {
    await api.fill(id, 'cat', 2);
    freeBytes = reserve - 1;
    const { json } = await api.send(`/api/datasets/${id}/images`, [{ name: 'a.jpg' }]);
    expect(json.data).toMatchObject([{ outcome: 'refused', problem: 'no-space' }]);
    expect((await api.get(`/api/datasets/${id}`)).json.images).toBe(2);
    freeBytes = 10 * reserve;
    expect((await api.send(`/api/datasets/${id}/images`, [{ name: 'a.jpg' }])).json.data).toMatchObject([
      { outcome: 'added' },
    ]);
  });

  test('takes no zip, and leaves nothing of it', async () => {
    const zip = await zipOf({ 'cat/1.jpg': 'an image' });
    freeBytes = reserve - 1;
    const { status, json } = await callApi(service, `/api/datasets/${id}/import`, {
      method: 'POST',
      key: service.key,
      body: zip,
      headers: { 'content-type': 'application/zip' },
    });
    expect([status, json.code]).toEqual([507, 'no_space']);
    const left: string[] = [];
    for await (const { id: blob } of service.imports.list()) left.push(blob);
    expect(left).toEqual([]);
  });

  test('ends an import with the reason and what to do; the same again adds the rest', async () => {
    const names = Array.from({ length: 12 }, (_, index) => [`cat/${index}.jpg`, `image ${index}`]);
    const zip = await zipOf(Object.fromEntries(names));
    let seen = 0;
    const { script } = service.runner;
    service.runner.script = async (signal, image) => {
      seen += 1;
      if (seen === 5) freeBytes = reserve - 1;
      return script(signal, image);
    };
    const importIt = async () => {
      const { json } = await callApi(service, `/api/datasets/${id}/import`, {
        method: 'POST',
        key: service.key,
        body: zip,
        headers: { 'content-type': 'application/zip' },
      });
      for (;;) {
        const job = (await api.get(`/api/jobs/${json.id}`)).json;
        if (job.ended_at !== null) return job;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    expect(await importIt()).toMatchObject({
      state: 'failed',
      error: expect.stringMatching(/too little room left.*what was imported stays/),
    });
    const { images: some } = (await api.get(`/api/datasets/${id}`)).json;
    expect(some).toBeGreaterThan(0);
    expect(some).toBeLessThan(12);
    freeBytes = 10 * reserve;
    service.runner.script = script;
    expect(await importIt()).toMatchObject({ state: 'done', result: { added: 12 - some, duplicates: some } });
  });
});
