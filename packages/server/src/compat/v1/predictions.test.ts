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
  '"texts": {"status": "ok, results limited to 15", "predictions": [' +
  '{"text_value": "B\\u00e4ckerei \\"\\u00d6z\\"", "coordinates": "10,201,20,61", "score": 0.9, "polygon": [[10, 20], [201, 20], [201, 61], [10, 61]]}, ' +
  '{"text_value": "open", "coordinates": "0,50,400,480", "score": 1.0, "polygon": [[0, 400], [50, 400], [50, 480], [0, 480]]}], ' +
  '"summary": [{"text_value": "B\\u00e4ckerei \\"\\u00d6z\\"", "count": "1"}, {"text_value": "open", "count": "1"}]}, ' +
  '"objects": {"predictions": [' +
  '{"sub_predictions": [{"class_title": "husky", "order": 1, "parent_object": "dog", "score": 0.9}], "object_title": "dog", "coordinates": "10,110,21,221", "score": 1.0}, ' +
  '{"sub_predictions": [], "object_title": "cat", "coordinates": "0,640,0,480", "score": 0.5}, ' +
  '{"sub_predictions": [], "object_title": "dog", "coordinates": "5,7,6,8", "score": 0.45}], ' +
  '"summary": [{"count": "2", "object_title": "dog"}, {"count": "1", "object_title": "cat"}]}, ' +
  `"faces": {"face_count": 1, "predictions": [{"face_name": "unknown", "coordinates": "100,181,51,150"}]}, "predicttype": "dense", "fileid": "${fileid}", "predict_type": "dense"}`;

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
    expect(await service.sendRaw(Buffer.concat([Buffer.from(head + typed), upload.body]), 5000)).toContain(
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
    expect(service.runner.seen[0]?.tasks).toEqual(['readText', 'faces', 'detect', 'classify']);
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
    expect([none.texts.predictions.length, none.faces.face_count]).toEqual([2, 1]);
    expect(classes.texts).toEqual({ status: 'ok, results limited to 15', predictions: [], summary: [] });
    expect(classes.faces).toEqual({ face_count: 0, predictions: [] });
    expect(service.runner.seen.map(({ tasks }) => tasks)).toEqual([
      ['classify'],
      ['detect'],
      ['readText', 'faces'],
    ]);
  });

  test('of many texts the surest 15 are answered, in reading order, and counted', async () => {
    const box = { xMin: 0, yMin: 0, xMax: 9, yMax: 9 };
    const corner = { x: 0, y: 0 };
    const lines = Array.from({ length: 40 }, (_, index) => ({
      text: `line ${index % 10}`,
      score: index % 2 === 0 ? 0.9 - index / 1000 : 0.5,
      polygon: [corner, corner, corner, corner] as const,
      box,
    }));
    service.runner.script = async () => ({ readText: { lines } });
    const { texts } = (await call('/predict/image?parts=texts', upload)).json;
    const shown = texts.predictions.map((line: { text_value: string }) => line.text_value);
    expect(shown).toEqual(Array.from({ length: 15 }, (_, index) => `line ${(2 * index) % 10}`));
    expect(texts.summary).toEqual([0, 2, 4, 6, 8].map((n) => ({ text_value: `line ${n}`, count: '3' })));
  });

  test('blanks, commas at the end and doubles in a list of parts are passed over', async () => {
    const { status, json } = await call(
      `/predict/image?parts=${encodeURIComponent(' texts,texts, ,')}`,
      upload,
    );
    expect([status, json.texts.predictions.length > 0, json.predictions]).toEqual([200, true, []]);
  });

  test.each(['words', 'classes,words', 'Classes', 'toString', 'classes;faces', ','])(
    'parts=%s is refused with the list of those that there are',
    async (parts) => {
      const { status, json } = await call(`/predict/image?parts=${encodeURIComponent(parts)}`, upload);
      expect([status, json.error.code]).toEqual([400, 'wrong_parameters']);
      expect(json.error.message).toBe(
        'parts must be a list of classes, objects, texts, faces, separated by commas',
      );
    },
  );

  test('the parts of the settings run unless a request chooses, and one without models is refused', async () => {
    const other = await startTestService({ recognitionParts: 'texts,objects', missingModels: ['onet'] });
    try {
      const { json } = await callV1(other, '/predict/image', { sent: upload });
      expect(json.predictions).toEqual([]);
      expect([json.texts.predictions.length, json.objects.predictions.length]).toEqual([2, 3]);
      await callV1(other, '/predict/image?parts=classes', { sent: upload });
      expect(other.runner.seen.map(({ tasks }) => tasks)).toEqual([['readText', 'detect'], ['classify']]);
      const refused = await callV1(other, '/predict/image?parts=faces', { sent: upload });
      expect([refused.status, refused.json.error.message]).toEqual([
        400,
        'parts: faces is not available; its models are not installed',
      ]);
    } finally {
      await other.stop();
    }
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
    expect(record.result.texts[0]).toMatchObject({ text: 'Bäckerei "Öz"', score: 0.9 });
    expect(record.result.faces[0]).toMatchObject({ score: 0.99, quality: { sizePx: 90 } });
    expect(row?.record).not.toContain('embedding');
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
