import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { callApi } from '../../../http/api/fixtures/call-api.js';
import { imageBytes } from '../../../http/fixtures/bodies.js';
import { found } from '../../../http/fixtures/scripted-runner.js';
import { isBehindNginx, startTestService, type TestService } from '../../../http/fixtures/test-service.js';
import { makeZip } from '../../../storage/archive/fixtures/make-zip.js';
import { endlessZip } from '../fixtures/endless-zip.js';
import { zipOf } from '../fixtures/zips.js';
import { datasetCalls } from './fixtures/dataset-calls.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  let serial = 0;
  service.runner.script = async () => {
    serial += 1;
    return { ...found, fingerprint: { fingerprint: createHash('md5').update(String(serial)).digest('hex') } };
  };
});
afterAll(() => service.stop());

const waiting = { timeout: 30_000 };

async function account(name: string) {
  const { key } = await service.makeKey(name);
  const api = datasetCalls(service, key);
  return {
    api,
    async import(datasetId: number, zip: Buffer): Promise<string> {
      const { status, json } = await callApi(service, `/api/datasets/${datasetId}/import`, {
        method: 'POST',
        key,
        body: zip,
        headers: { 'content-type': 'application/zip' },
      });
      expect(status).toBe(202);
      return json.id;
    },
    readJob: async (id: string) => (await api.get(`/api/jobs/${id}`)).json,
    async until(id: string, state: string) {
      await vi.waitFor(async () => expect((await this.readJob(id)).state).toBe(state), waiting);
      return this.readJob(id);
    },
  };
}

/** Processes that read zips for this one. */
function readers(): readonly string[] {
  const listed = execFileSync('ps', ['-o', 'args=', '--ppid', String(process.pid)], { encoding: 'utf8' });
  return listed.split('\n').filter((line) => line.includes('datasets-import-tree-main'));
}

const annotations = (text: string) =>
  makeZip([
    { name: '1.jpg', bytes: imageBytes(1001) },
    { name: 'annotations/instances.json', bytes: Buffer.from(text) },
  ]);

test('an import that reads without end leaves a place to another account, and none to a second of its own', async () => {
  const [hostile, other] = [await account('hostile'), await account('other')];
  const first = await hostile.import(await hostile.api.make(), endlessZip());
  const second = await hostile.import(await hostile.api.make(), endlessZip());
  await hostile.until(first, 'running');
  const zip = await zipOf({ 'cat/1.jpg': imageBytes(1002), 'dog/2.jpg': imageBytes(1003) });
  const own = await other.import(await other.api.make(), zip);
  expect((await other.until(own, 'done')).result).toMatchObject({ added: 2 });
  expect([(await hostile.readJob(first)).state, (await hostile.readJob(second)).state]).toEqual([
    'running',
    'waiting',
  ]);
  if (!isBehindNginx) expect(readers()).toHaveLength(1);
  await hostile.api.remove(`/api/jobs/${second}`);
  await hostile.api.remove(`/api/jobs/${first}`);
  await hostile.until(first, 'cancelled');
  expect(readers()).toEqual([]);
});

test('an import ends at once when its dataset is deleted', async () => {
  const { api, ...mine } = await account('deleting');
  const dataset = await api.make();
  const job = await mine.import(dataset, endlessZip());
  await vi.waitFor(async () => expect((await mine.readJob(job)).state).toBe('running'), waiting);
  expect((await api.remove(`/api/datasets/${dataset}`)).status).toBe(200);
  // Failed where it had not begun to read: then it finds no dataset.
  await vi.waitFor(
    async () => expect(['cancelled', 'failed']).toContain((await mine.readJob(job)).state),
    waiting,
  );
  expect(readers()).toEqual([]);
});

test.each([
  ['an element of 6 MiB', `{"images": [[${'[],'.repeat(2 ** 21)}1]]}`, 'element 1 of "images" is longer'],
  [
    'lists nested without end',
    `{"images": ${'['.repeat(2 ** 20)}`,
    'is nested more than 100 deep, the limit',
  ],
  ['a text without end', `{"images": [], "annotations": [{"a": "`, 'annotations/instances.json is not JSON'],
])('%s ends the import with the reason, and it is not tried again', async (_name, text, reason) => {
  const { api, ...mine } = await account('limits');
  const job = await mine.import(await api.make(), annotations(text));
  await vi.waitFor(async () => expect((await mine.readJob(job)).ended_at).not.toBeNull(), waiting);
  expect(await mine.readJob(job)).toMatchObject({ state: 'failed', error: expect.stringContaining(reason) });
});
