import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { dirname } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callApi } from '../../../http/api/fixtures/call-api.js';
import { multipart } from '../../../http/fixtures/bodies.js';
import { startTestService, type TestService } from '../../../http/fixtures/test-service.js';
import { tinyOnnx } from '../fixtures/tiny-onnx.js';

let service: TestService;
let id: number;
beforeAll(async () => {
  service = await startTestService({ maxModelBytes: 100_000 });
});
beforeEach(async () => {
  const body = { name: 'mine', task: 'classification' };
  id = (await callApi(service, '/api/models', { method: 'POST', body })).json.model_id;
});
afterAll(() => service.stop());

type Part = Parameters<typeof multipart>[0][number];
const file = (fileName: string, content: Buffer | string): Part => ({ name: 'file', fileName, content });
const upload = (parts: readonly Part[], query = '') =>
  callApi(service, `/api/models/${id}/versions${query}`, { method: 'POST', ...multipart(parts) });
const read = async (path = '') => (await callApi(service, `/api/models/${id}${path}`)).json;

/** What is under the folder of versions: those that are there, and drafts. */
async function onDisk() {
  const uid = '00000000-0000-4000-8000-000000000000';
  const dir = dirname(service.customModels.files.folder(uid));
  return { versions: (await readdir(dir)).length - 1, drafts: await readdir(`${dir}/drafts`) };
}

describe('a ready model', () => {
  test('becomes a version that predicts, and is downloaded as a model that needs nothing of ours', async () => {
    const made = await upload([file('net.onnx', tinyOnnx()), file('labels.txt', 'cat\ndog\n')]);
    expect(made).toMatchObject({ status: 201, json: { number: 1, origin: 'upload', is_current: true } });
    expect(made.json.labels).toEqual(['cat', 'dog']);
    expect(made.json.import).toMatchObject({
      format: 'onnx',
      files: ['net.onnx', 'labels.txt'],
      options: {},
    });
    expect(await read()).toMatchObject({ version: 1 });
    expect(await read('/versions/1')).toEqual(made.json);
    const answer = await fetch(`${service.base}/api/models/${id}/versions/1/model.onnx`, {
      headers: { 'x-api-key': service.key },
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([bytes.length, answer.headers.get('content-type')]).toEqual([
      made.json.model_bytes,
      'application/octet-stream',
    ]);
    const { InferenceSession, Tensor } = await import('onnxruntime-node');
    const session = await InferenceSession.create(bytes);
    const image = new Tensor('uint8', new Uint8Array(64 * 64 * 3), [1, 64, 64, 3]);
    const { probabilities } = await session.run({ image });
    expect([...((probabilities?.data ?? []) as Float32Array)].map((each) => each.toFixed(3))).toEqual([
      '0.200',
      '0.800',
    ]);
    expect((await onDisk()).drafts).toEqual([]);
  });

  test('takes other options as another version, made of the files of the first', async () => {
    const options = JSON.stringify({ labels: ['a', 'b'], input: { fit: 'squash' } });
    await upload([{ name: 'options', content: options }, file('net.onnx', tinyOnnx())]);
    const changed = await callApi(service, `/api/models/${id}/versions/1?activate=false`, {
      method: 'PATCH',
      body: { labels: ['x', 'y'], first_class: 0 },
    });
    expect(changed).toMatchObject({
      status: 201,
      json: { number: 2, is_current: false, labels: ['x', 'y'] },
    });
    expect(changed.json.import.options).toEqual({
      labels: ['x', 'y'],
      input: { fit: 'squash' },
      first_class: 0,
    });
    expect(await read()).toMatchObject({ version: 1 });
    expect((await read('/versions/1')).labels).toEqual(['a', 'b']);
  });
});

describe('an account uploads one model at a time', () => {
  const files = [file('net.onnx', tinyOnnx()), file('labels.txt', 'cat\ndog\n')];

  test('and the next one as soon as it has its answer', async () => {
    const statuses: number[] = [];
    for (let times = 0; times < 5; times += 1) statuses.push((await upload(files)).status);
    expect(statuses).toEqual([201, 201, 201, 201, 201]);
  });

  test('while another comes, a further one waits a second, and is refused then', async () => {
    const { body, headers } = multipart(files);
    const options = { method: 'POST', headers: { ...headers, 'x-api-key': service.key } };
    const first = request(`${service.base}/api/models/${id}/versions`, options);
    first.on('error', () => undefined);
    first.write(body.subarray(0, -10));
    await expect.poll(async () => (await onDisk()).drafts).toHaveLength(1);
    expect(await upload(files)).toMatchObject({ status: 409, json: { code: 'conflict' } });
    const next = upload(files);
    first.destroy();
    expect((await next).status).toBe(201);
  });
});

describe('what cannot be used is refused in words, and leaves nothing behind', () => {
  test.each<[string, readonly Part[], number, string, RegExp]>([
    ['no model', [file('a.onnx', 'this is no model')], 422, 'model_refused', /a\.onnx|model/],
    [
      'a model of another task',
      [{ name: 'options', content: '{"family":"embedder"}' }, file('a.onnx', tinyOnnx([0.6, 0.8]))],
      400,
      'wrong_parameters',
      /classification/,
    ],
    [
      'labels that are too few',
      [{ name: 'options', content: '{"labels":["a","b","c","d"]}' }, file('a.onnx', tinyOnnx())],
      422,
      'model_refused',
      /label/,
    ],
    ['more than may come', [file('a.onnx', Buffer.alloc(4_000_000))], 413, 'file_too_large', /100000|larger/],
    ['no file', [{ name: 'options', content: '{}' }], 400, 'no_file', /file part/],
    [
      'options that are no JSON',
      [{ name: 'options', content: '{' }, file('a.onnx', tinyOnnx())],
      400,
      'wrong_parameters',
      /options must be JSON/,
    ],
    [
      'options that do not exist',
      [{ name: 'options', content: '{"size":1}' }, file('a.onnx', tinyOnnx())],
      400,
      'wrong_parameters',
      /options/,
    ],
    [
      'options that are wrong',
      [{ name: 'options', content: '{"threshold":2}' }, file('a.onnx', tinyOnnx())],
      400,
      'wrong_parameters',
      /options\.threshold/,
    ],
  ])('%s', async (_what, parts, status, code, detail) => {
    const before = await onDisk();
    const answer = await upload(parts);
    expect(answer).toMatchObject({ status, json: { code, detail: expect.stringMatching(detail) } });
    expect(await read()).toMatchObject({ version: null });
    expect(await onDisk()).toEqual(before);
  });

  test('a body that is no form, and one that breaks off', async () => {
    const plain = await callApi(service, `/api/models/${id}/versions`, { method: 'POST', body: tinyOnnx() });
    expect(plain).toMatchObject({ status: 400, json: { code: 'no_file' } });
    const { body, headers } = multipart([file('a.onnx', tinyOnnx())]);
    const cut = await callApi(service, `/api/models/${id}/versions`, {
      method: 'POST',
      headers,
      body: body.subarray(0, body.length - 60),
    });
    expect(cut).toMatchObject({ status: 400, json: { code: 'bad_request' } });
    expect((await onDisk()).drafts).toEqual([]);
  });

  test('a trained version with other options', async () => {
    const { newVersion } = await import('../fixtures/stored-models.js');
    const { versions } = service.customModels;
    await versions.add(service.accountId, id, await newVersion(versions));
    const changed = await callApi(service, `/api/models/${id}/versions/1`, { method: 'PATCH', body: {} });
    expect(changed).toMatchObject({ status: 400, json: { detail: expect.stringMatching(/trained here/) } });
    expect((await onDisk()).drafts).toEqual([]);
  });
});
