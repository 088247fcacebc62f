import { describe, expect, test } from 'vitest';
import { callApi } from '../../http/api/fixtures/call-api.js';
import { multipart } from '../../http/fixtures/bodies.js';
import { found } from '../../http/fixtures/scripted-runner.js';
import { customDetection, customRecognition, v2Detection } from './fixtures/answers.js';
import { ask } from './fixtures/ask.js';
import { image, upload, withImage } from './fixtures/images.js';
import { useImageHost } from './fixtures/use-image-host.js';
import { useService } from './fixtures/use-service.js';

const service = useService();
const address = useImageHost();
const encoded = () => encodeURIComponent(address());
const predictImage = 'POST /predict/image?apikey=KEY';
const detection = 'POST /predict/object_detection/?apikey=KEY';

describe('model_id', () => {
  test.each([
    [undefined, 'coco-accurate', 'COCO objects, accurate'],
    [null, 'coco-accurate', 'COCO objects, accurate'],
    ['', 'coco-accurate', 'COCO objects, accurate'],
    ['coco-accurate', 'coco-accurate', 'COCO objects, accurate'],
    [101, 'coco-accurate', 'COCO objects, accurate'],
    ['101', 'coco-accurate', 'COCO objects, accurate'],
    ['coco-fast', 'coco-fast', 'COCO objects, fast'],
    [102, 'coco-fast', 'COCO objects, fast'],
  ])('v2: the UID, or the numeric id as a number or a string: %j is %s', async (model_id, uid, title) => {
    const { text } = await ask(service(), 'PUT /predict?api_key=KEY', withImage({ model_id }));
    expect(text).toBe(v2Detection(uid, title));
  });

  test.each([
    ['', 101],
    ['&model_id=', 101],
    ['&model_id=101', 101],
    ['&model_id=coco-accurate', 101],
    ['&model_id=102', 102],
    ['&model_id=coco-fast', 102],
  ])('v1: the numeric id or the UID; custom detection answers the number: %j is %i', async (query, id) => {
    expect((await ask(service(), detection + query, upload)).text).toBe(customDetection(id));
  });

  test.each(['201', 'imagenet'])('v1: custom recognition answers the number as a string: %s', async (id) => {
    expect((await ask(service(), `${predictImage}&model_id=${id}`, upload)).text).toBe(customRecognition());
  });

  test('v1: it may stand in the form as well, and the query wins', async () => {
    const form = multipart([
      { name: 'model_id', content: 'coco-fast' },
      { name: 'image', fileName: 'a', content: image },
    ]);
    expect((await ask(service(), detection, form)).text).toBe(customDetection(102));
    expect((await ask(service(), `${detection}&model_id=101`, form)).text).toBe(customDetection(101));
  });

  test('built-in models: coco-accurate 101, coco-fast 102, imagenet 201, for every account', async () => {
    const { key } = await service().makeKey('another');
    for (const [id, uid] of Object.entries({ 101: 'coco-accurate', 102: 'coco-fast', 201: 'imagenet' })) {
      const { json } = await ask(service(), `PUT /predict?api_key=${key}`, withImage({ model_id: id }));
      expect(json.predictions[0].model_id).toBe(uid);
    }
  });
});

describe('conf_thresh and nms_thresh: 0 to 1, default 0.4 and 0.45', () => {
  const used = () => service().runner.seen[0]?.options['detect'];
  test.each([
    [{}, 0.4, 0.45],
    [{ conf_thresh: null, nms_thresh: null }, 0.4, 0.45],
    [{ conf_thresh: 0, nms_thresh: 0 }, 0, 0],
    [{ conf_thresh: 1, nms_thresh: 1 }, 1, 1],
    [{ conf_thresh: '0.25', nms_thresh: ' .5 ' }, 0.25, 0.5],
    [{ conf_thresh: '1', nms_thresh: '0' }, 1, 0],
    [{ conf_thresh: '', nms_thresh: ' ' }, 0.4, 0.45],
  ])('v2 %j', async (more, minScore, nmsIou) => {
    await ask(service(), 'PUT /predict?api_key=KEY', withImage(more));
    expect(used()).toMatchObject({ minScore, nmsIou });
  });
  test.each([
    ['', 0.4, 0.45],
    ['&conf_thresh=0&nms_thresh=1', 0, 1],
    ['&conf_thresh=1.0&nms_thresh=5e-1', 1, 0.5],
  ])('v1 %j', async (query, minScore, nmsIou) => {
    await ask(service(), detection + query, upload);
    expect(used()).toMatchObject({ minScore, nmsIou });
  });
});

describe('model_type', () => {
  test.each([
    [101, 'object_detection'],
    [201, 'classification'],
  ])('of %i is %s', async (model_id, type) => {
    const { json } = await ask(service(), 'PUT /predict?api_key=KEY', withImage({ model_id }));
    expect(json.model_type).toBe(type);
  });
});

describe('coordinates', () => {
  test('are whole pixels inside the image, X1,X2,Y1,Y2 as text and as the four-key object', async () => {
    const box = { xMin: -3.2, yMin: 10.5, xMax: 640.7, yMax: 99_999 };
    const detections = [{ label: { id: 'test:x', title: 'x' }, score: 0.5, box }];
    service().runner.script = async () => ({ ...found, detect: { calibration: null, detections } });
    const { json } = await ask(service(), predictImage, upload);
    expect(json.objects.predictions[0].coordinates).toBe('0,640,11,480');
    const custom = (await ask(service(), detection, upload)).text;
    expect(custom).toContain('"coordinates": {"xmin": 0, "ymin": 11, "xmax": 640, "ymax": 480}');
  });
});

describe('url', () => {
  test('is present for the address variant only, as it was given', async () => {
    expect((await ask(service(), `${predictImage}&url=${encoded()}`)).json.url).toBe(address());
    expect((await ask(service(), predictImage, upload)).json).not.toHaveProperty('url');
    expect(
      (await ask(service(), predictImage, multipart([{ name: 'url', content: address() }]))).json.url,
    ).toBe(address());
  });
  test('both url and a file: the file counts', async () => {
    const { json } = await ask(service(), `${predictImage}&url=http://10.0.0.1/`, upload);
    expect(json.status).toBe('ok');
    expect(json).not.toHaveProperty('url');
  });
});

describe('fileid', () => {
  test('is an opaque id under which GET /api/files/{fileid} answers the analysis again', async () => {
    const { json, headers } = await ask(service(), predictImage, upload);
    expect(json.fileid).toMatch(/^[0-9a-f]{32}$/);
    expect(headers).not.toHaveProperty('x-file-id');
    const kept = await callApi(service(), `/api/files/${json.fileid}`);
    expect([kept.status, kept.json.operation]).toEqual([200, 'v1.predict_image']);
  });

  test('operations whose body has no fileid give it in the header X-File-Id', async () => {
    for (const [line, sent, operation] of [
      [`${predictImage}&model_id=201`, upload, 'v1.predict_image'],
      [detection, upload, 'v1.predict_object_detection'],
      ['PUT /predict?api_key=KEY', withImage(), 'v2.predict'],
      ['PUT /predict?api_key=KEY', withImage({ model_id: 201 }), 'v2.predict'],
    ] as const) {
      const { headers, text } = await ask(service(), line, sent);
      expect(headers['x-file-id']).toMatch(/^[0-9a-f]{32}$/);
      expect(text).not.toContain('fileid');
      const kept = await callApi(service(), `/api/files/${headers['x-file-id']}`);
      expect([kept.status, kept.json.operation]).toEqual([200, operation]);
    }
  });

  test('is kept with what ran, without embeddings and paths of ours', async () => {
    const { json } = await ask(service(), predictImage, upload);
    const row = await service()
      .database.query.selectFrom('analysis')
      .selectAll()
      .where('fileid', '=', json.fileid)
      .executeTakeFirst();
    expect(row).toMatchObject({ account_id: service().accountId, operation: 'v1.predict_image' });
    const record = JSON.parse(row?.record ?? '');
    expect(record).toMatchObject({
      image: { kind: 'jpeg', width: 640, height: 480 },
      models: [{ id: 'test', version: '1' }],
      calibration: 'test-1',
    });
    expect(record.result.texts[0]).toMatchObject({ text: 'Bäckerei "Öz"', score: 0.9 });
    expect(record.result.faces[0]).toMatchObject({ score: 0.99, quality: { sizePx: 90 } });
    expect(row?.record).not.toMatch(/embedding|\/models\//);
  });

  test("another account's is answered exactly as one that does not exist", async () => {
    const { key } = await service().makeKey('another');
    const { json } = await ask(service(), predictImage, upload);
    const of = async (fileid: string) => {
      const { status, json } = await callApi(service(), `/api/files/${fileid}`, { key });
      return { ...json, status, request_id: '' };
    };
    expect(await of(json.fileid)).toEqual(await of('0'.repeat(32)));
  });
});
