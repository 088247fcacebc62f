import { Readable } from 'node:stream';
import { request } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { found } from '../../http/fixtures/scripted-runner.js';
import { pictureBytes, startTestService, type TestService } from '../../http/fixtures/test-service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterEach(async () => {
  service.runner.script = async () => found;
  service.runner.seen.length = 0;
  expect(await service.filesInSpool()).toEqual([]);
  expect(service.spool.bytesInUse).toBe(0);
});
afterAll(() => service.stop());

const picture = pictureBytes(3000);
const base64str = picture.toString('base64');

async function predict(
  body: unknown,
  options: { query?: string; headers?: Record<string, string>; method?: 'PUT' | 'POST' } = {},
) {
  const answer = await request(`${service.base}/predict?${options.query ?? `api_key=${service.key}`}`, {
    method: options.method ?? 'PUT',
    headers: options.headers ?? {},
    body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  });
  const text = await answer.body.text();
  return { status: answer.statusCode, headers: answer.headers, text, json: JSON.parse(text) };
}

describe('PUT /predict', () => {
  test('answers labelled boxes byte for byte as documented', async () => {
    const { status, headers, text } = await predict({
      base64str,
      model_id: 'coco-fast',
      conf_thresh: 0.4,
      nms_thresh: 0.45,
    });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers['x-file-id']).toMatch(/^[0-9a-f]{32}$/);
    expect(text).toBe(
      '{"predictions": [' +
        '{"class_title": "dog", "score": 1.0, "model_id": "coco-fast", "model_title": "COCO objects, fast", "coordinates": {"xmin": 10, "ymin": 21, "xmax": 110, "ymax": 221}}, ' +
        '{"class_title": "cat", "score": 0.5, "model_id": "coco-fast", "model_title": "COCO objects, fast", "coordinates": {"xmin": 0, "ymin": 0, "xmax": 640, "ymax": 480}}, ' +
        '{"class_title": "dog", "score": 0.45, "model_id": "coco-fast", "model_title": "COCO objects, fast", "coordinates": {"xmin": 5, "ymin": 6, "xmax": 7, "ymax": 8}}' +
        '], "model_type": "object_detection", "status": 1, "status_description": "Successful prediction"}',
    );
    expect(service.runner.seen[0]?.bytes.equals(picture)).toBe(true);
  });

  test.each([
    ['none', {}],
    ['application/json', { 'content-type': 'application/json' }],
    ['text/plain', { 'content-type': 'text/plain' }],
    ['application/x-www-form-urlencoded', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['multipart without a boundary', { 'content-type': 'multipart/form-data' }],
    ['one that is no media type', { 'content-type': ';;nonsense' }],
  ])('a JSON body is read under the content type %s', async (_name, headers) => {
    expect((await predict({ base64str }, { headers })).status).toBe(200);
    expect(service.runner.seen[0]?.bytes.equals(picture)).toBe(true);
  });

  test.each([
    ['line breaks', base64str.replace(/(.{76})/g, '$1\r\n')],
    ['a data: prefix', `data:image/png;base64,${base64str}`],
    ['a data: prefix and line breaks', `data:image/webp;base64,\n${base64str.replace(/(.{64})/g, '$1\n')}`],
    ['no padding', base64str.replace(/=+$/, '')],
    ['the URL-safe alphabet', picture.toString('base64url')],
  ])('base64str may have %s', async (_name, text) => {
    expect((await predict({ base64str: text })).status).toBe(200);
    expect(service.runner.seen[0]?.bytes.equals(picture)).toBe(true);
  });

  test('POST is read like PUT, with and without a trailing slash', async () => {
    expect((await predict({ base64str }, { method: 'POST' })).status).toBe(200);
    const slashed = await request(`${service.base}/predict/?api_key=${service.key}`, {
      method: 'PUT',
      body: JSON.stringify({ base64str }),
    });
    expect(slashed.statusCode).toBe(200);
    await slashed.body.dump();
  });

  test.each([
    [undefined, 'coco-accurate'],
    [null, 'coco-accurate'],
    ['coco-accurate', 'coco-accurate'],
    [101, 'coco-accurate'],
    ['101', 'coco-accurate'],
    [102, 'coco-fast'],
  ])('model_id %j chooses %s, and the answer gives its UID', async (model_id, uid) => {
    const { json } = await predict({ base64str, model_id });
    expect(json.predictions[0].model_id).toBe(uid);
  });

  test('a classifier answers its classes with the whole image as box', async () => {
    const { json, text } = await predict({ base64str, model_id: 201 });
    expect(json.model_type).toBe('classification');
    expect(json.predictions).toHaveLength(2);
    expect(text).toContain(
      '{"class_title": "caf\\u00e9", "score": 0.0000001, "model_id": "imagenet", "model_title": "ImageNet classes", "coordinates": {"xmin": 0, "ymin": 0, "xmax": 640, "ymax": 480}}',
    );
  });

  test('nothing found is success with no predictions', async () => {
    service.runner.script = async () => ({ detect: { calibration: null, detections: [] } });
    const { status, text } = await predict({ base64str });
    expect(status).toBe(200);
    expect(text).toBe(
      '{"predictions": [], "model_type": "object_detection", "status": 1, "status_description": "Successful prediction"}',
    );
  });

  test.each([
    ['the generation’s own name', (key: string) => ({ query: `api_key=${key}` })],
    ['the other generation’s name', (key: string) => ({ query: `apikey=${key}` })],
    ['its own name before the other', (key: string) => ({ query: `apikey=wrong&api_key=${key}` })],
    ['the first of two', (key: string) => ({ query: `api_key=${key}&api_key=wrong` })],
    ['a bearer token', (key: string) => ({ query: '', headers: { authorization: `Bearer ${key}` } })],
    ['X-API-Key', (key: string) => ({ query: '', headers: { 'x-api-key': key } })],
    [
      'the query before a header',
      (key: string) => ({ query: `api_key=${key}`, headers: { 'x-api-key': 'wrong' } }),
    ],
  ])('the key is taken from %s', async (_name, where) => {
    expect((await predict({ base64str }, where(service.key))).status).toBe(200);
  });

  test('a large picture goes by a file and arrives whole', async () => {
    const middle = pictureBytes(500_000);
    expect((await predict({ base64str: middle.toString('base64') })).status).toBe(200);
    const large = pictureBytes(2_000_000);
    expect((await predict({ base64str: large.toString('base64'), model_id: 102, junk: [1] })).status).toBe(
      200,
    );
    const [first, second] = service.runner.seen;
    expect([first?.kind, second?.kind]).toEqual(['file', 'file']);
    expect(first?.bytes.equals(middle)).toBe(true);
    expect(second?.bytes.equals(large)).toBe(true);
  });

  test('unknown body keys and query parameters are ignored', async () => {
    const { status } = await predict(
      { base64str, more: { deep: [1, 2] } },
      { query: `api_key=${service.key}&x=1&x=2` },
    );
    expect(status).toBe(200);
  });

  const long = 'A'.repeat(3_000_000);
  test.each([
    ['no body', '', 400, -3, 'no_file'],
    ['an object without a picture', '{}', 400, -3, 'no_file'],
    ['an empty picture', '{"base64str": ""}', 400, -3, 'no_file'],
    ['a picture that is a number', '{"base64str": 7}', 400, -3, 'invalid_picture_text'],
    ['text that is not base64', '{"base64str": "!!!!"}', 400, -3, 'invalid_picture_text'],
    [
      'base64 with a stray character',
      `{"base64str": "${base64str.slice(0, 40)}*${base64str.slice(40)}"}`,
      400,
      -3,
      'invalid_picture_text',
    ],
    ['a body that is not JSON', '{"base64str": ', 400, -4, 'bad_request'],
    ['a body that is a list', '[]', 400, -4, 'bad_request'],
    ['a large body that is not JSON', long, 400, -4, 'bad_request'],
    ['an unknown model', `{"base64str": "${base64str}", "model_id": 77}`, 400, -2, 'invalid_model'],
    ['conf_thresh above 1', `{"base64str": "${base64str}", "conf_thresh": 1.5}`, 400, -4, 'wrong_parameters'],
    [
      'conf_thresh below 0',
      `{"base64str": "${base64str}", "conf_thresh": -0.1}`,
      400,
      -4,
      'wrong_parameters',
    ],
    [
      'nms_thresh that is no number',
      `{"base64str": "${base64str}", "nms_thresh": "high"}`,
      400,
      -4,
      'wrong_parameters',
    ],
    [
      'an address that is not http',
      '{"image_file_url": "ftp://example.org/a.jpg"}',
      400,
      -4,
      'wrong_parameters',
    ],
    ['an address inside', '{"image_file_url": "http://10.0.0.1/a.jpg"}', 403, -8, 'address_not_allowed'],
  ])('%s is told as documented', async (_name, body, http, v2, code) => {
    const before = await service.callsUsed();
    const { status, json, text } = await predict(body);
    expect([status, json.status, json.error.code]).toEqual([http, v2, code]);
    expect(Object.keys(json)).toEqual(['predictions', 'model_type', 'status', 'status_description', 'error']);
    expect(text.startsWith('{"predictions": [], "model_type": null, "status": -')).toBe(true);
    expect(await service.callsUsed()).toBe(before);
  });

  test('a wrong key is refused before the body, in the form of v2', async () => {
    const { status, json } = await predict({ base64str }, { query: 'api_key=nope' });
    expect([status, json.status, json.error.code]).toEqual([401, -1, 'invalid_api_key']);
  });

  test('a body over the limit is told 413, also when it comes without a length', async () => {
    const { status, json } = await predict(`{"base64str": "${'A'.repeat(7 * 1024 * 1024)}"}`);
    expect([status, json.status]).toEqual([413, -6]);
    const chunk = Buffer.alloc(1024 * 1024, 'A');
    const answer = await request(`${service.base}/predict?api_key=${service.key}`, {
      method: 'PUT',
      body: Readable.from(Array.from({ length: 8 }, () => chunk)),
    });
    expect(answer.statusCode).toBe(413);
    await answer.body.dump();
  });
});
