import { readdir } from 'node:fs/promises';
import { request as openRequest } from 'node:http';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { callApi } from '../../../http/api/fixtures/call-api.js';
import { multipart } from '../../../http/fixtures/bodies.js';
import { startTestService, type TestService } from '../../../http/fixtures/test-service.js';
import { tinyOnnx } from '../fixtures/tiny-onnx.js';

let service: TestService;
let freeBytes: number;
const reserve = 1_000_000_000;
const start = async (limits = {}) => {
  freeBytes = 10 * reserve;
  service = await startTestService({ ...limits, diskReserveBytes: reserve, freeBytes: () => freeBytes });
};
afterEach(() => service.stop());

const post = (path: string, body: unknown) => callApi(service, path, { method: 'POST', body });
const makeModel = () => post('/api/models', { name: 'mine', task: 'classification' });
const upload = (id: number) =>
  callApi(service, `/api/models/${id}/versions`, {
    method: 'POST',
    ...multipart([{ name: 'file', fileName: 'net.onnx', content: tinyOnnx() }]),
  });
async function drafts() {
  const uid = '00000000-0000-4000-8000-000000000000';
  return readdir(join(dirname(service.customModels.files.folder(uid)), 'drafts'));
}

describe('an account that has as many models as it may have', () => {
  test('makes none more until it has deleted one, however many ask at once', async () => {
    await start({ accountMaxModels: 2 });
    const all = await Promise.all(Array.from({ length: 6 }, makeModel));
    expect(all.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
    expect((await makeModel()).json).toMatchObject({
      code: 'account_full',
      detail: 'an account has 2 models at most: delete one first',
    });
    const made = all.find(({ status }) => status === 201);
    await callApi(service, `/api/models/${made?.json.model_id}`, { method: 'DELETE' });
    expect((await makeModel()).status).toBe(201);
  });

  test('uploads and trains no version more than it may have, in whichever of its models', async () => {
    await start({ accountMaxVersions: 2 });
    const [one, two] = [(await makeModel()).json.model_id, (await makeModel()).json.model_id];
    expect([(await upload(one)).status, (await upload(one)).status]).toEqual([201, 201]);
    expect(await upload(two)).toMatchObject({ status: 409, json: { code: 'account_full' } });
    const dataset = (await post('/api/datasets', { name: 'a', task: 'classification' })).json.id;
    const refused = await post(`/api/models/${two}/runs`, { dataset_id: dataset });
    expect(refused).toMatchObject({ status: 409, json: { code: 'account_full' } });
    expect(await drafts()).toEqual([]);
    await callApi(service, `/api/models/${one}/versions/1`, { method: 'DELETE' });
    expect((await upload(two)).status).toBe(201);
  });

  test('keeps no more bytes of model files, the uploaded ones included', async () => {
    await start({ accountMaxModelBytes: 5 * tinyOnnx().length });
    const id = (await makeModel()).json.model_id;
    expect((await upload(id)).status).toBe(201);
    const refused = await upload(id);
    expect(refused).toMatchObject({ status: 409, json: { code: 'account_full' } });
    expect(refused.json.detail).toMatch(/bytes at most: delete versions first/);
  });
});

test('a disk that is nearly full takes no model and begins no training, and what is there predicts on', async () => {
  await start();
  const id = (await makeModel()).json.model_id;
  await upload(id);
  const dataset = (await post('/api/datasets', { name: 'a', task: 'classification' })).json.id;
  freeBytes = reserve - 1;
  expect(await upload(id)).toMatchObject({ status: 507, json: { code: 'no_space' } });
  expect(await post(`/api/models/${id}/runs`, { dataset_id: dataset })).toMatchObject({
    status: 507,
    json: { code: 'no_space', detail: expect.stringMatching(/diskReserveBytes/) },
  });
  expect(await drafts()).toEqual([]);
  expect((await callApi(service, `/api/models/${id}`)).json.version).toBe(1);
  freeBytes = 10 * reserve;
  expect((await upload(id)).status).toBe(201);
});

describe('an upload without a declared length', () => {
  /** So many bytes of a model, which does not end before it is answered. */
  async function uploadUndeclared(id: number, bytes: number) {
    const { body, headers } = multipart([{ name: 'file', fileName: 'net.onnx', content: '' }]);
    const head = body.subarray(0, body.indexOf('\r\n\r\n') + 4);
    const answered = new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const sending = openRequest(
        `${service.base}/api/models/${id}/versions`,
        { method: 'POST', headers: { ...headers, 'x-api-key': service.key } },
        async (answer) => {
          let text = '';
          for await (const piece of answer.setEncoding('utf8')) text += piece;
          sending.destroy();
          resolve({ status: answer.statusCode, text });
        },
      );
      sending.on('error', reject);
      sending.write(head);
      const piece = Buffer.alloc(1_000_000);
      const send = (rest: number) => {
        if (rest <= 0 || sending.destroyed) return;
        sending.write(piece, () => send(rest - piece.length));
      };
      send(bytes);
    });
    const { status, text } = await answered;
    return [status, JSON.parse(text).code];
  }

  test('is refused as soon as it is more than the account may keep', async () => {
    await start({ accountMaxModelBytes: 4_000_000 });
    const id = (await makeModel()).json.model_id;
    expect(await uploadUndeclared(id, 3_000_000)).toEqual([409, 'account_full']);
    expect(await drafts()).toEqual([]);
    expect((await upload(id)).status).toBe(201);
  });

  test('is refused as soon as it takes of the reserve of the disk', async () => {
    await start();
    const id = (await makeModel()).json.model_id;
    // Enough for a small one; the disk fills while it comes.
    freeBytes = reserve + 100_000;
    expect(await uploadUndeclared(id, 1_000_000)).toEqual([507, 'no_space']);
    expect(await drafts()).toEqual([]);
    expect((await upload(id)).status).toBe(201);
  });
});
