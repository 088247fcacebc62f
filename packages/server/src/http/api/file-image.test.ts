import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { imageBytes, multipart } from '../fixtures/bodies.js';
import { callV1 } from '../fixtures/call-v1.js';
import { startTestService, type TestService } from '../fixtures/test-service.js';
import { callApi } from './fixtures/call-api.js';

let service: TestService;
let frugal: TestService;
beforeAll(async () => {
  [service, frugal] = await Promise.all([startTestService({ keepImages: true }), startTestService()]);
});
afterAll(() => Promise.all([service.stop(), frugal.stop()]));

const image = imageBytes(200_000);
const upload = multipart([{ name: 'image', fileName: 'a.jpg', content: image }]);
const asText = multipart([{ name: 'image', content: `data:image/jpeg;base64,${image.toString('base64')}` }]);

async function predict(at: TestService, sent = upload): Promise<string> {
  return (await callV1(at, '/predict/image', { sent })).json.fileid;
}

async function readImage(fileid: string, key = service.key) {
  const answer = await request(`${service.base}/api/files/${fileid}/content`, {
    headers: { 'x-api-key': key },
  });
  return {
    status: answer.statusCode,
    headers: answer.headers,
    bytes: Buffer.from(await answer.body.arrayBuffer()),
  };
}

async function idsKept(): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of service.imageFiles.list()) ids.push(id);
  return ids;
}

describe('where images are kept', () => {
  test.each([
    ['a file', upload],
    ['a data URL', asText],
  ])('%s can be read as it came, beside its analysis', async (_what, sent) => {
    const fileid = await predict(service, sent);
    const { json } = await callApi(service, `/api/files/${fileid}`);
    expect(json.image_bytes).toBe(image.byteLength);
    const { status, headers, bytes } = await readImage(fileid);
    expect(status).toBe(200);
    expect(bytes.equals(image)).toBe(true);
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': `attachment; filename="${fileid}.jpeg"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  });

  test('nobody else reads it', async () => {
    const fileid = await predict(service);
    const other = await service.makeKey('nosy');
    expect((await readImage(fileid, other.key)).status).toBe(404);
    expect((await readImage(fileid, 'wrong')).status).toBe(401);
  });

  test('it is deleted with its analysis', async () => {
    const fileid = await predict(service);
    expect(await idsKept()).toContain(fileid);
    await callApi(service, `/api/files/${fileid}`, { method: 'DELETE' });
    expect(await idsKept()).not.toContain(fileid);
    expect((await readImage(fileid)).status).toBe(404);
  });

  test('one that fails is not kept', async () => {
    const before = await idsKept();
    const { script } = service.runner;
    service.runner.script = async () => {
      throw new Error('no image');
    };
    expect((await callV1(service, '/predict/image', { sent: upload })).status).toBe(500);
    service.runner.script = script;
    expect(await idsKept()).toEqual(before);
  });
});

test('images are not kept unless the operator says so', async () => {
  const fileid = await predict(frugal);
  expect((await callApi(frugal, `/api/files/${fileid}`)).json.image_bytes).toBeNull();
  const { status, json } = await callApi(frugal, `/api/files/${fileid}/content`);
  expect([status, json.code, json.detail]).toEqual([
    404,
    'not_found',
    'the image of this analysis was not kept',
  ]);
  for await (const kept of frugal.imageFiles.list()) expect(kept).toBeUndefined();
});
