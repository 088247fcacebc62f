import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { upload } from '../fixtures/ask.js';
import { callV1 } from '../fixtures/call-v1.js';
import { isBehindNginx, startTestService, type TestService } from '../fixtures/test-service.js';
import { callApi } from './fixtures/call-api.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const unknown = '0'.repeat(32);

async function predict(path = '/predict/image', key = service.key): Promise<string> {
  const { json, headers } = await callV1(service, path, { sent: upload, key });
  return json.fileid ?? headers['x-file-id'];
}

/** Puts a row in place as an analysis of that time would leave it. */
async function keep(accountId: number, keyId: number, fileid: string, createdAt: number, expiresAt: number) {
  await service.database.write([
    service.database.query.insertInto('analysis').values({
      fileid,
      account_id: accountId,
      key_id: keyId,
      operation: 'v1.predict_image',
      created_at: createdAt,
      expires_at: expiresAt,
      record: '{}',
      image_bytes: null,
      image_kind: null,
    }),
  ]);
}

describe('GET /api/files/{fileid}', () => {
  test('answers the analysis with models, thresholds and timings', async () => {
    const fileid = await predict('/predict/object_detection?model_id=coco-fast&conf_thresh=0.6');
    const { status, json } = await callApi(service, `/api/files/${fileid}`);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      fileid,
      operation: 'v1.predict_object_detection',
      key_id: service.keyId,
      image: { kind: 'jpeg', width: 640, height: 480 },
      models: [{ id: 'test', version: '1' }],
      calibration: 'test-1',
      options: [{ task: 'detect', min_score: 0.6, nms_iou: 0.45 }],
      timings_ms: { queue: 0, decode: 1 },
    });
    expect(json.result.objects[0]).toEqual({
      label: { id: 'test:dog', title: 'dog' },
      score: 1,
      box: { x_min: 10.4, y_min: 20.6, x_max: 110.2, y_max: 220.5 },
    });
    expect(Date.parse(json.expires_at) - Date.parse(json.created_at)).toBe(30 * 86_400_000);
  });

  test('has all parts of general recognition, and never an embedding', async () => {
    const { json } = await callApi(service, `/api/files/${await predict()}`);
    expect(Object.keys(json.result).sort()).toEqual(['classes', 'faces', 'mode', 'objects', 'texts']);
    expect(JSON.stringify(json)).not.toContain('embedding');
  });

  test("another account's id is answered like one that never was, byte for byte but the request", async () => {
    const fileid = await predict();
    const other = await service.makeKey('nosy');
    for (const method of ['GET', 'DELETE'] as const) {
      const foreign = await callApi(service, `/api/files/${fileid}`, { key: other.key, method });
      const none = await callApi(service, `/api/files/${unknown}`, { key: other.key, method });
      expect(foreign.status).toBe(404);
      expect({ ...foreign.json, request_id: '' }).toEqual({ ...none.json, request_id: '' });
    }
    expect((await callApi(service, `/api/files/${fileid}`)).status).toBe(200);
  });

  test('an analysis whose time is over is gone before it is swept', async () => {
    const { key, keyId, accountId } = await service.makeKey('old');
    await keep(accountId, keyId, 'e'.repeat(32), 1, Date.now() - 1);
    expect((await callApi(service, `/api/files/${'e'.repeat(32)}`, { key })).status).toBe(404);
    expect((await callApi(service, '/api/files', { key })).json.data).toEqual([]);
  });

  // nginx refuses a zero byte itself.
  test.each(['x', `${unknown}0`, '..%2f', ...(isBehindNginx ? [] : ['%00']), "'--"])(
    'the id %s is not found',
    async (id) => {
      expect((await callApi(service, `/api/files/${id}`)).status).toBe(404);
    },
  );
});

test('DELETE /api/files/{fileid} deletes it once', async () => {
  const fileid = await predict();
  expect(await callApi(service, `/api/files/${fileid}`, { method: 'DELETE' })).toMatchObject({
    status: 204,
    json: null,
  });
  expect((await callApi(service, `/api/files/${fileid}`)).status).toBe(404);
  expect((await callApi(service, `/api/files/${fileid}`, { method: 'DELETE' })).status).toBe(404);
});

describe('GET /api/files', () => {
  test('pages through everything once, the newest first, also where times are equal', async () => {
    const { key, keyId, accountId } = await service.makeKey('many');
    const ids = Array.from({ length: 25 }, (_, index) => index.toString(16).padStart(32, '0'));
    const later = Date.now() + 86_400_000;
    // Five to a moment.
    for (const [index, id] of ids.entries())
      await keep(accountId, keyId, id, 1000 + Math.floor(index / 5), later);
    const seen: string[] = [];
    let cursor = '';
    do {
      const { json } = await callApi(service, `/api/files?limit=7${cursor && `&cursor=${cursor}`}`, { key });
      seen.push(...json.data.map((file: { fileid: string }) => file.fileid));
      cursor = json.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual([...ids].reverse());
  });

  test('an analysis made while someone pages neither repeats nor hides another', async () => {
    const { key, keyId, accountId } = await service.makeKey('moving');
    const later = Date.now() + 86_400_000;
    for (const at of [1, 2, 3, 4]) await keep(accountId, keyId, `a${at}`.padStart(32, '0'), at, later);
    const first = await callApi(service, '/api/files?limit=2', { key });
    await keep(accountId, keyId, 'a9'.padStart(32, '0'), 9, later);
    const second = await callApi(service, `/api/files?limit=2&cursor=${first.json.next_cursor}`, { key });
    const times = [...first.json.data, ...second.json.data].map((file) => Date.parse(file.created_at));
    expect(times).toEqual([4, 3, 2, 1]);
    expect(second.json.next_cursor).toBeNull();
  });

  test('filters by operation and time', async () => {
    const { key } = await service.makeKey('filtering');
    await predict('/predict/image', key);
    const detection = await predict('/predict/object_detection', key);
    const list = async (query: string) =>
      (await callApi(service, `/api/files?${query}`, { key })).json.data.map(
        (file: { fileid: string }) => file.fileid,
      );
    expect(await list('operation=v1.predict_object_detection')).toEqual([detection]);
    expect(await list('operation=none')).toEqual([]);
    const hour = (by: number) => new Date(Date.now() + by * 3_600_000).toISOString();
    expect(await list(`from=${hour(-1)}&to=${hour(1)}`)).toHaveLength(2);
    expect(await list(`from=${hour(1)}`)).toEqual([]);
    expect(await list(`to=${hour(-1)}`)).toEqual([]);
  });

  test.each([
    'x',
    'W10',
    'WyJhIiwiYiJd',
    'bnVsbA',
    'A'.repeat(300),
    Buffer.from('[1e999,"0"]').toString('base64url'),
  ])('the made-up cursor %s is refused', async (cursor) => {
    const { status, json } = await callApi(service, `/api/files?cursor=${cursor}`);
    expect([status, json.code]).toEqual([400, 'wrong_parameters']);
  });
});

describe('the summary of an analysis', () => {
  test('has the best labels and the models, in the list and beside the result', async () => {
    const fileid = await predict();
    const summary = { labels: ['dog', 'cat', 'malamute', 'café'], models: ['test'] };
    expect((await callApi(service, `/api/files/${fileid}`)).json.summary).toEqual(summary);
    expect((await callApi(service, '/api/files?limit=1')).json.data[0]).toMatchObject({ fileid, summary });
  });

  test('is what search looks in, beside the other filters, and a percent sign is none', async () => {
    const { key } = await service.makeKey('searching');
    const fileid = await predict('/predict/object_detection?model_id=coco-fast', key);
    const found = async (query: string) =>
      (await callApi(service, `/api/files?${query}`, { key })).json.data.map(
        (each: { fileid: string }) => each.fileid,
      );
    expect(await found('search=DO')).toEqual([fileid]);
    expect(await found('search=tes')).toEqual([fileid]);
    expect(await found('search=malamute')).toEqual([]);
    expect(await found('search=%25')).toEqual([]);
    expect(await found('search=dog&operation=v1.predict_object_detection')).toEqual([fileid]);
    expect(await found('search=dog&operation=v1.predict_image')).toEqual([]);
    expect(await found('search=dog&to=2020-01-01T00:00:00Z')).toEqual([]);
  });

  test('is empty for one that was kept before there were any', async () => {
    const { key, keyId, accountId } = await service.makeKey('old');
    await keep(accountId, keyId, 'a'.repeat(32), Date.now() - 1000, Date.now() + 1e6);
    const { json } = await callApi(service, '/api/files', { key });
    expect(json.data[0].summary).toEqual({ labels: [], models: [] });
  });
});
