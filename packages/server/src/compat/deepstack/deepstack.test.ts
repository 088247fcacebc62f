import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServiceError } from '../../core/service-error.js';
import { found } from '../../http/fixtures/scripted-runner.js';
import { startTestService, type TestService } from '../../http/fixtures/test-service.js';
import { formWith, jpeg, makeCompatKey } from '../common/fixtures/compat-client.js';

let service: TestService;
let key: string;
let withFaces: string;
beforeAll(async () => {
  service = await startTestService();
  key = (await makeCompatKey(service, { protocol: 'deepstack', models: { 'ipcam-general': 'coco-fast' } }))
    .key;
  const made = await api('/api/perceptions', { name: 'staff' });
  withFaces = (await makeCompatKey(service, { protocol: 'deepstack', perception: String(made.model_id) }))
    .key;
});
afterAll(() => service.stop());

async function api(path: string, body?: object) {
  const answer = await fetch(`${service.base}${path}`, {
    headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  });
  return JSON.parse(await answer.text());
}

async function ask(path: string, body?: FormData) {
  const answer = await fetch(`${service.base}/v1/vision${path}`, {
    method: 'POST',
    ...(body ? { body } : {}),
  });
  return { status: answer.status, json: JSON.parse(await answer.text()) };
}

describe('detection', () => {
  test('answers boxes in whole pixels, the best first, with the key after the image', async () => {
    const { status, json } = await ask('/detection', formWith(['image', jpeg], ['api_key', key]));
    expect(status).toBe(200);
    expect(json).toMatchObject({ success: true, code: 200, count: 3, duration: 0 });
    expect(json.predictions[0]).toEqual({
      ...{ confidence: 1, label: 'dog' },
      ...{ x_min: 10, y_min: 21, x_max: 110, y_max: 221 },
    });
    expect(json.predictions.map(({ confidence }: { confidence: number }) => confidence)).toEqual([
      1, 0.5, 0.45,
    ]);
    for (const name of ['inferenceMs', 'processMs', 'analysisRoundTripMs']) {
      expect(Number.isInteger(json[name])).toBe(true);
    }
  });

  test('is counted and recorded under its own name', async () => {
    const used = (await service.callsUsed()) ?? 0;
    await ask('/detection', formWith(['api_key', key], ['image', jpeg]));
    expect(await service.callsUsed()).toBe(used + 1);
    const { data } = await api('/api/files?limit=1');
    expect(data[0]).toMatchObject({ operation: 'deepstack.detection' });
  });

  test.each([
    ['.9', 0.9],
    ['90', 0.9],
    ['0,95', 0.95],
    ['95%', 0.95],
    ['95 %', 0.95],
    ['0.5%', 0.005],
    ['1', 1],
    ['1e-05', 0.00001],
    ['101%', 0.4],
    ['-1', 0.4],
    ['', 0.4],
    ['None', 0.4],
  ])('asks the detector for what min_confidence=%s says', async (text, minScore) => {
    await ask('/detection', formWith(['min_confidence', text], ['image', jpeg], ['api_key', key]));
    expect(service.runner.seen.at(-1)?.options['detect']).toMatchObject({ minScore });
  });

  test('has 20 boxes at most, of classes that clients know first', async () => {
    const detections = Array.from({ length: 30 }, (_, at) => ({
      label: { id: at % 3 === 0 ? `mine:${at}` : 'coco:1', title: at % 3 === 0 ? 'badge' : 'person' },
      score: 0.95 - at / 100,
      box: { xMin: 0, yMin: 0, xMax: 10, yMax: 10 },
    }));
    const { script } = service.runner;
    service.runner.script = async () => ({ ...found, detect: { calibration: 'test-1', detections } });
    const { json } = await ask('/detection', formWith(['image', jpeg], ['api_key', key]));
    service.runner.script = script;
    expect(json.predictions).toHaveLength(20);
    const labels = json.predictions.map(({ label }: { label: string }) => label);
    expect(labels).toEqual(
      labels.map((_: string, at: number) => (at < labels.indexOf('badge') ? 'person' : 'badge')),
    );
  });

  test('a crowd of one label leaves room for the best of each other, and a key may have more', async () => {
    const of = (id: string, title: string, score: number) => ({
      label: { id, title },
      score,
      box: { xMin: 0, yMin: 0, xMax: 10, yMax: 10 },
    });
    const cars = Array.from({ length: 48 }, (_, at) => of('coco:3', 'car', 0.9 - at / 1000));
    const detections = [...cars, of('coco:1', 'person', 0.5), of('coco:18', 'dog', 0.45)];
    const { script } = service.runner;
    service.runner.script = async () => ({ ...found, detect: { calibration: 'test-1', detections } });
    const { json } = await ask('/detection', formWith(['image', jpeg], ['api_key', key]));
    const many = await makeCompatKey(service, { protocol: 'deepstack', max_predictions: 100 });
    const { json: all } = await ask('/detection', formWith(['image', jpeg], ['api_key', many.key]));
    service.runner.script = script;
    expect(json.predictions.map(({ label }: { label: string }) => label)).toEqual([
      ...Array(18).fill('car'),
      ...['person', 'dog'],
    ]);
    const scores = json.predictions.map(({ confidence }: { confidence: number }) => confidence);
    expect(scores).toEqual([...scores].sort((a: number, b: number) => b - a));
    expect(all.predictions).toHaveLength(50);
  });

  test('has aliases, a least confidence and a most of the key', async () => {
    const own = await makeCompatKey(service, {
      ...{ protocol: 'deepstack', aliases: { dog: 'animal' } },
      ...{ min_confidence: 0.6, max_predictions: 1 },
    });
    const { json } = await ask('/detection', formWith(['image', jpeg], ['api_key', own.key]));
    expect(json.predictions).toMatchObject([{ label: 'animal' }]);
    expect(service.runner.seen.at(-1)?.options['detect']).toMatchObject({ minScore: 0.6 });
  });

  test('names of models that clients ask for are those of the key', async () => {
    expect(
      (await ask('/custom/ipcam-general', formWith(['image', jpeg], ['api_key', key]))).json.success,
    ).toBe(true);
    expect((await ask('/custom/no-such', formWith(['image', jpeg], ['api_key', key]))).json).toMatchObject({
      success: false,
      error: expect.stringContaining('no-such'),
    });
    const { json } = await ask('/custom/list', formWith(['api_key', key]));
    expect(json.models).toEqual(expect.arrayContaining(['ipcam-general', 'ipcam-combined', 'coco-fast']));
    const usual = await ask('/custom/ipcam-combined', formWith(['image', jpeg], ['api_key', key]));
    expect(usual.json.success).toBe(true);
  });

  test.each([
    ['/scene', 'Scene endpoint not activated'],
    ['/alpr', 'ALPR endpoint not activated'],
  ])('%s is answered as what is switched off', async (path, error) => {
    const { json, status } = await ask(path, formWith(['image', jpeg], ['api_key', key]));
    expect([status, json]).toEqual([403, { success: false, error, duration: 0, code: 403 }]);
  });
});

describe('errors have a text in every answer', () => {
  test.each<[string, () => FormData | undefined, number, string]>([
    ['no form', () => undefined, 401, 'Incorrect api key'],
    ['no key', () => formWith(['image', jpeg]), 401, 'Incorrect api key'],
    ['an empty key', () => formWith(['image', jpeg], ['api_key', '']), 401, 'Incorrect api key'],
    ['a wrong key', () => formWith(['image', jpeg], ['api_key', 'wrong']), 401, 'Incorrect api key'],
    [
      'a key of the account',
      () => formWith(['image', jpeg], ['api_key', service.key]),
      401,
      'Incorrect api key',
    ],
    ['no image', () => formWith(['api_key', key]), 400, 'No valid image file found'],
    [
      'an empty image',
      () => formWith(['image', Buffer.alloc(0)], ['api_key', key]),
      400,
      'No valid image file found',
    ],
  ])('%s', async (_case, form, status, error) => {
    const answer = await ask('/detection', form());
    expect(answer).toEqual({ status, json: { success: false, error, duration: 0, code: status } });
  });

  test('faces without a perception are not activated', async () => {
    const answer = await ask('/face/recognize', formWith(['image', jpeg], ['api_key', key]));
    expect(answer).toMatchObject({ status: 403, json: { success: false } });
    expect(answer.json.error).toContain('endpoint not activated');
  });
});

describe('faces', () => {
  test('are found with and without a slash at the end', async () => {
    for (const path of ['/face', '/face/']) {
      const { json } = await ask(path, formWith(['image', jpeg], ['api_key', key]));
      expect(json.predictions).toEqual([{ confidence: 0.99, x_min: 100, y_min: 51, x_max: 181, y_max: 150 }]);
    }
  });

  test('a person is registered with several images, recognized, listed, deleted, and unknown again', async () => {
    const key_ = ['api_key', withFaces] as const;
    const before = await ask('/face/recognize', formWith(['image', jpeg], key_));
    expect(before.json.predictions).toMatchObject([{ userid: 'unknown', confidence: 0 }]);
    const other = Buffer.concat([jpeg, Buffer.from('another')]);
    const made = await ask(
      '/face/register',
      formWith(['image0', jpeg], ['image1', other], ['userid', 'Ada'], key_),
    );
    expect(made.json).toMatchObject({ success: true, message: 'face added' });
    const seen = await ask('/face/recognize', formWith(['image', jpeg], key_));
    expect(seen.json.predictions[0]).toMatchObject({ userid: 'Ada', x_min: 100 });
    expect(seen.json.predictions[0].confidence).toBeGreaterThan(0.5);
    const sure = await ask('/face/recognize', formWith(['image', jpeg], ['min_confidence', '1'], key_));
    expect(sure.json.predictions).toMatchObject([{ userid: 'unknown', confidence: 0 }]);
    expect((await ask('/face/list', formWith(key_))).json.faces).toEqual(['Ada']);
    expect((await ask('/face/delete', formWith(['userid', 'Ada'], key_))).json.success).toBe(true);
    const after = await ask('/face/recognize', formWith(['image', jpeg], key_));
    expect(after.json.predictions).toMatchObject([{ userid: 'unknown', confidence: 0 }]);
  });

  test('an image that cannot be read keeps none of the others out', async () => {
    const key_ = ['api_key', withFaces] as const;
    const broken = Buffer.from('no image');
    const { script } = service.runner;
    service.runner.script = async (signal, image) => {
      if (image.equals(broken)) throw new ServiceError('unsupported_image', 'no image');
      return script(signal, image);
    };
    for (const images of [
      [broken, jpeg],
      [jpeg, broken],
    ]) {
      const fields = images.map((image, at) => [`image${at}`, image] as const);
      const made = await ask('/face/register', formWith(...fields, ['userid', 'Mary'], key_));
      expect(made).toMatchObject({ status: 200, json: { success: true } });
    }
    const none = await ask('/face/register', formWith(['image', broken], ['userid', 'Mary'], key_));
    expect(none).toMatchObject({ status: 400, json: { error: 'No valid image file found' } });
    service.runner.script = script;
    await ask('/face/delete', formWith(['userid', 'Mary'], key_));
  });

  test.each([
    ['a NUL', 'a\0b'],
    ['a line break', 'a\nb'],
    ['201 characters', 'x'.repeat(201)],
  ])('an id with %s is refused, and nobody has it', async (_case, userId) => {
    const form = () => formWith(['image', jpeg], ['userid', userId], ['api_key', withFaces]);
    const refused = await ask('/face/register', form());
    expect(refused).toMatchObject({ status: 400, json: { error: expect.stringContaining('userid') } });
    expect(await ask('/face/delete', form())).toMatchObject({ status: 200, json: { success: true } });
    expect((await ask('/face/list', formWith(['api_key', withFaces]))).json.faces).toEqual([]);
  });

  test('a person who is deleted twice at once is gone for both', async () => {
    const form = () => formWith(['image', jpeg], ['userid', 'Grace'], ['api_key', withFaces]);
    await ask('/face/register', form());
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask('/face/delete', form())));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  test('two images are compared', async () => {
    const { json } = await ask(
      '/face/match',
      formWith(['image1', jpeg], ['image2', jpeg], ['api_key', withFaces]),
    );
    expect(json.success).toBe(true);
    expect(json.similarity).toBeGreaterThan(0.9);
  });
});

describe('the key opens nothing else', () => {
  test.each(['/api/account', '/api/keys', '/api/perceptions', '/api/drops'])('%s', async (path) => {
    const answer = await fetch(`${service.base}${path}`, { headers: { 'x-api-key': key } });
    expect(answer.status).toBe(401);
  });

  test.each(['/predict/image', '/predict/object_detection', '/predict/face?command=x'])(
    '%s',
    async (path) => {
      const answer = await fetch(`${service.base}${path}`, {
        ...{ method: 'POST', headers: { 'x-api-key': key } },
        body: formWith(['image', jpeg]),
      });
      expect(answer.status).toBe(401);
    },
  );

  test('and nothing at all once it is revoked', async () => {
    const own = await makeCompatKey(service, { protocol: 'deepstack' });
    const form = () => formWith(['image', jpeg], ['api_key', own.key]);
    expect((await ask('/detection', form())).status).toBe(200);
    await fetch(`${service.base}/api/keys/${own.id}`, {
      ...{ method: 'DELETE', headers: { 'x-api-key': service.key } },
    });
    expect((await ask('/detection', form())).status).toBe(401);
  });
});
