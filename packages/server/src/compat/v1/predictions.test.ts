import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { callV1, type Sent } from '../../http/fixtures/call-v1.js';
import { found } from '../../http/fixtures/scripted-runner.js';
import {
  multipart,
  pictureBytes,
  startTestService,
  type TestService,
} from '../../http/fixtures/test-service.js';

let service: TestService;
let far: Server;
let farUrl: string;
const picture = pictureBytes(5000);

beforeAll(async () => {
  service = await startTestService();
  far = createServer((_incoming, answer) => answer.end(picture)).listen(0, '127.0.0.1');
  await new Promise((resolve) => far.once('listening', resolve));
  farUrl = `http://127.0.0.1:${(far.address() as AddressInfo).port}/a%20b.jpg?x=1`;
});
afterEach(async () => {
  service.runner.script = async () => found;
  service.runner.seen.length = 0;
  expect(await service.filesInSpool()).toEqual([]);
  expect(service.spool.bytesInUse).toBe(0);
});
afterAll(async () => {
  far.close();
  await service.stop();
});

const upload = multipart([{ name: 'image', fileName: 'a.jpg', type: 'image/jpeg', content: picture }]);

const call = (path: string, sent?: Sent, method?: 'GET' | 'POST') => callV1(service, path, { sent, method });

const general = (fileid: string, url = '') =>
  `{"status": "ok", ${url}"predictions": [` +
  '{"class_title": "dog", "order": "1", "parent_object": "dog", "score": 1.0}, ' +
  '{"class_title": "malamute", "order": "2", "score": 0.75}, ' +
  '{"class_title": "cat", "order": "3", "parent_object": "cat", "score": 0.5}, ' +
  '{"class_title": "caf\\u00e9", "order": "4", "score": 0.0000001}], ' +
  '"texts": {"status": "ok, results limited to 15", "predictions": [], "summary": []}, ' +
  '"objects": {"predictions": [' +
  '{"sub_predictions": [{"class_title": "husky", "order": 1, "parent_object": "dog", "score": 0.9}], "object_title": "dog", "coordinates": "10,110,21,221", "score": 1.0}, ' +
  '{"sub_predictions": [], "object_title": "cat", "coordinates": "0,640,0,480", "score": 0.5}, ' +
  '{"sub_predictions": [], "object_title": "dog", "coordinates": "5,7,6,8", "score": 0.45}], ' +
  '"summary": [{"count": "2", "object_title": "dog"}, {"count": "1", "object_title": "cat"}]}, ' +
  `"faces": {"face_count": 0, "predictions": []}, "predicttype": "dense", "fileid": "${fileid}", "predict_type": "dense"}`;

describe('/predict/image', () => {
  test('an upload is answered byte for byte as documented', async () => {
    const { status, headers, text, json } = await call('/predict/image', upload);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(text).toBe(general(json.fileid));
    expect(service.runner.seen[0]?.bytes.equals(picture)).toBe(true);
  });

  test.each(['GET', 'POST'] as const)(
    'an address by %s is fetched, and the answer names it',
    async (method) => {
      const path = `/predict/image?url=${encodeURIComponent(farUrl)}`;
      const { text, json } = await call(path, undefined, method);
      expect(text).toBe(general(json.fileid, `"url": ${JSON.stringify(farUrl)}, `));
      expect(service.runner.seen[0]?.bytes.equals(picture)).toBe(true);
    },
  );

  test('GET with a multipart body is read like POST', async () => {
    const head = `GET /predict/image?apikey=${service.key} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n`;
    const typed = `Content-Type: ${upload.headers['content-type']}\r\nContent-Length: ${upload.body.length}\r\n\r\n`;
    expect(await service.sendRaw(Buffer.concat([Buffer.from(head + typed), upload.body]))).toContain(
      'HTTP/1.1 200',
    );
    expect(service.runner.seen[0]?.bytes.equals(picture)).toBe(true);
  });

  const base64 = picture.toString('base64');
  test.each<[string, Sent]>([
    ['a file part under another name', multipart([{ name: 'upload', fileName: 'x', content: picture }])],
    [
      'a part of type application/octet-stream',
      multipart([{ name: 'image', fileName: 'x.txt', type: 'application/octet-stream', content: picture }]),
    ],
    [
      'the first of two file parts',
      multipart([
        { name: 'a', fileName: 'a', content: picture },
        { name: 'image', fileName: 'b', content: 'not this' },
      ]),
    ],
    [
      'a text field image with a data URL',
      multipart([{ name: 'image', content: `data:image/png;base64,${base64}` }]),
    ],
    [
      'a text field image with bare base64',
      multipart([{ name: 'image', content: base64.replace(/(.{76})/g, '$1\n') }]),
    ],
    [
      'a part image without a file name',
      multipart([{ name: 'image', type: 'image/jpeg', content: picture }]),
    ],
    [
      'a file after a text field image',
      multipart([
        { name: 'image', content: '' },
        { name: 'f', fileName: 'f', content: picture },
      ]),
    ],
    [
      'a data URL in a URL-encoded form',
      {
        body: `image=${encodeURIComponent(`data:image/jpeg;base64,${base64}`)}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
    ],
    ['the picture itself as the body', { body: picture, headers: { 'content-type': 'image/jpeg' } }],
  ])('the picture may be %s', async (_name, sent) => {
    expect((await call('/predict/image', sent)).status).toBe(200);
    expect(service.runner.seen[0]?.bytes.equals(picture)).toBe(true);
  });

  test('a large upload goes by a file and arrives whole, as a file and as text', async () => {
    const large = pictureBytes(1_500_000);
    await call('/predict/image', multipart([{ name: 'image', fileName: 'a', content: large }]));
    await call('/predict/image', multipart([{ name: 'image', content: large.toString('base64') }]));
    expect(service.runner.seen.map(({ kind }) => kind)).toEqual(['file', 'file']);
    expect(service.runner.seen.every(({ bytes }) => bytes.equals(large))).toBe(true);
  });

  test('of an address and a file the file counts, and the answer holds no url', async () => {
    const { json } = await call(`/predict/image?url=${encodeURIComponent('http://10.0.0.1/')}`, upload);
    expect(json.status).toBe('ok');
    expect(json).not.toHaveProperty('url');
  });

  test('the address may stand in the form', async () => {
    const { json } = await call('/predict/image', multipart([{ name: 'url', content: farUrl }]));
    expect(json.url).toBe(farUrl);
  });

  test('an empty JSON body beside an address does no harm', async () => {
    const path = `/predict/image?url=${encodeURIComponent(farUrl)}`;
    const json = { 'content-type': 'application/json' };
    expect((await call(path, { body: '', headers: json })).status).toBe(200);
    expect((await call(path, { body: '{}', headers: json })).status).toBe(200);
    expect((await call(path, { body: '', headers: json }, 'GET')).status).toBe(200);
  });

  test('predicttype=basic leaves every sub_predictions empty and says basic', async () => {
    const { json } = await call('/predict/image?predicttype=basic', upload);
    expect(json.objects.predictions.map((p: { sub_predictions: unknown }) => p.sub_predictions)).toEqual([
      [],
      [],
      [],
    ]);
    expect([json.predicttype, json.predict_type]).toEqual(['basic', 'basic']);
    expect(service.runner.seen[0]?.tasks).toEqual(['detect', 'classify']);
  });

  test('parts chooses what runs, and what was not chosen is present and empty', async () => {
    const classes = (await call('/predict/image?parts=classes', upload)).json;
    expect(classes.predictions.map((p: { class_title: string }) => p.class_title)).toEqual([
      'malamute',
      'café',
    ]);
    expect(classes.objects).toEqual({ predictions: [], summary: [] });
    const objects = (await call('/predict/image?parts=objects', upload)).json;
    expect(objects.predictions).toEqual([]);
    expect(objects.objects.predictions).toHaveLength(3);
    const none = (await call('/predict/image?parts=texts,faces', upload)).json;
    expect([none.predictions, none.objects.predictions, none.status]).toEqual([[], [], 'ok']);
    expect(service.runner.seen.map(({ tasks }) => tasks)).toEqual([['classify'], ['detect'], []]);
  });

  test('a query key given twice: the first counts', async () => {
    const { json } = await call('/predict/image?predicttype=basic&predicttype=dense', upload);
    expect(json.predicttype).toBe('basic');
  });

  test('an analysis is kept under its fileid, with what ran', async () => {
    const { json } = await call('/predict/image', upload);
    const row = await service.database.query
      .selectFrom('analysis')
      .selectAll()
      .where('fileid', '=', json.fileid)
      .executeTakeFirst();
    expect(row).toMatchObject({ account_id: service.accountId, operation: 'v1.predict_image' });
    const record = JSON.parse(row?.record ?? '');
    expect(record).toMatchObject({
      picture: { kind: 'jpeg', width: 640, height: 480 },
      models: [{ id: 'test', version: '1' }],
      calibration: 'test-1',
    });
    expect(row?.record).not.toContain('/models/');
  });

  test('with model_id a classifier answers ranked classes in the custom form', async () => {
    const { text, headers } = await call('/predict/image?model_id=201', upload);
    expect(text).toBe(
      '{"status": "ok", "model_id": "201", "predictions": [{"class_title": "malamute", "order": 1, "score": 0.75}, ' +
        '{"class_title": "caf\\u00e9", "order": 2, "score": 0.0000001}], "prediction_type": "image", "predict_type": "image"}',
    );
    expect(headers['x-file-id']).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('/predict/object_detection/', () => {
  test.each(['/predict/object_detection/', '/predict/object_detection'])(
    '%s answers as documented',
    async (path) => {
      const { text, headers } = await call(`${path}?model_id=102`, upload);
      expect(text).toBe(
        '{"status": "ok", "prediction_type": "object_detection", "predictions": [' +
          '{"class_title": "dog", "model_id": 102, "score": 1.0, "coordinates": {"xmin": 10, "ymin": 21, "xmax": 110, "ymax": 221}}, ' +
          '{"class_title": "cat", "model_id": 102, "score": 0.5, "coordinates": {"xmin": 0, "ymin": 0, "xmax": 640, "ymax": 480}}, ' +
          '{"class_title": "dog", "model_id": 102, "score": 0.45, "coordinates": {"xmin": 5, "ymin": 6, "xmax": 7, "ymax": 8}}]}',
      );
      expect(headers['x-file-id']).toMatch(/^[0-9a-f]{32}$/);
    },
  );

  test('without model_id the default detector answers, by GET and address too', async () => {
    const { json } = await call(
      `/predict/object_detection/?url=${encodeURIComponent(farUrl)}`,
      undefined,
      'GET',
    );
    expect(json.predictions[0].model_id).toBe(101);
  });

  test('the model may be named by its UID, in the form too', async () => {
    const form = multipart([
      { name: 'model_id', content: 'coco-fast' },
      { name: 'image', fileName: 'a', content: picture },
    ]);
    expect((await call('/predict/object_detection/', form)).json.predictions[0].model_id).toBe(102);
  });
});
