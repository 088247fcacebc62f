import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../http/fixtures/test-service.js';
import { createModelFacts } from '../../training/models/model-facts.js';
import { jpeg, makeCompatKey } from '../common/fixtures/compat-client.js';

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await startTestService();
  key = (await makeCompatKey(service, { protocol: 'doods', models: { yard: 'coco-fast' } })).key;
});
afterAll(() => service.stop());

const image = jpeg.toString('base64');

/** As the client of Home Assistant asks. */
async function detect(
  body: Readonly<Record<string, unknown>> | string,
  headers: Readonly<Record<string, string>> = { 'doods-auth-key': key },
  query = '',
) {
  const answer = await fetch(`${service.base}/detect${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: answer.status, json: JSON.parse(await answer.text()) };
}

describe('detect', () => {
  test('answers fractions of the image and percentages, the best first, and no error', async () => {
    const { status, json } = await detect({ detector_name: 'default', data: image, detect: { '*': 40 } });
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual(['id', 'detections']);
    expect(json.detections.map(({ confidence }: { confidence: number }) => confidence)).toEqual([
      100, 50, 45,
    ]);
    expect(json.detections[0]).toEqual({
      ...{ top: 0.042917, left: 0.01625, bottom: 0.459375, right: 0.172188 },
      ...{ label: 'dog', confidence: 100 },
    });
    for (const { top, left, bottom, right } of json.detections) {
      for (const side of [top, left, bottom, right]) {
        expect(side).toBeGreaterThanOrEqual(0);
        expect(side).toBeLessThanOrEqual(1);
      }
    }
  });

  test.each<[string, Record<string, number> | undefined, string[]]>([
    ['every class', { '*': 0 }, ['dog', 'cat', 'dog']],
    ['a value of its own instead of that of all others', { '*': 90, cat: 40 }, ['dog', 'cat']],
    ['named classes alone', { cat: 40 }, ['cat']],
    ['none', {}, []],
    ['nothing said', undefined, []],
  ])('answers the classes that are asked for: %s', async (_case, wanted, labels) => {
    const { json } = await detect({ detector_name: 'default', data: image, detect: wanted });
    expect(json.detections.map(({ label }: { label: string }) => label)).toEqual(labels);
  });

  test('asks the detector for the least of all percentages', async () => {
    await detect({ detector_name: 'yard', data: image, detect: { '*': 60, person: 25 } });
    expect(service.runner.seen.at(-1)?.options['detect']).toMatchObject({
      ...{ minScore: 0.25, models: [{ id: 'coco-ssd' }] },
    });
  });

  test('has aliases, a least confidence and a most of the key', async () => {
    const own = await makeCompatKey(service, {
      ...{ protocol: 'doods', aliases: { dog: 'animal' } },
      ...{ min_confidence: 0.6, max_predictions: 1 },
    });
    const wanted = { data: image, detect: { animal: 10, cat: 10 } };
    const { json } = await detect(wanted, { 'doods-auth-key': own.key });
    expect(json.detections).toMatchObject([{ label: 'animal', confidence: 100 }]);
  });

  test('is counted and recorded under its own name', async () => {
    const used = (await service.callsUsed()) ?? 0;
    const { json } = await detect({ data: image, detect: { '*': 50 } });
    expect(await service.callsUsed()).toBe(used + 1);
    const answer = await fetch(`${service.base}/api/files/${json.id}`, {
      headers: { 'x-api-key': service.key },
    });
    expect(JSON.parse(await answer.text())).toMatchObject({ operation: 'doods.detect' });
  });

  test('reads a body of megabytes and echoes an id', async () => {
    const large = Buffer.concat([jpeg, Buffer.alloc(2_000_000, 7)]).toString('base64');
    const { status, json } = await detect({
      ...{ id: 'front', detector_name: 'default', detect: { '*': 50 }, data: large },
    });
    expect([status, json.id, json.detections.length]).toEqual([200, 'front', 2]);
  });

  test('answers the drawing alone on the path for it, and errors as elsewhere', async () => {
    const draw = (body: object) =>
      fetch(`${service.base}/image`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'doods-auth-key': key },
        body: JSON.stringify(body),
      });
    const answer = await draw({ data: image, detect: { cat: 40 } });
    const { image: drawn } = (await detect({ data: image, detect: { cat: 40 }, image: 'jpg' })).json;
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(Buffer.from(await answer.arrayBuffer()).toString('base64')).toBe(drawn);
    const refused = await draw({ detect: { cat: 40 } });
    expect(refused.status).toBe(400);
    expect(JSON.parse(await refused.text())).toHaveProperty('error');
  });

  describe('regions', () => {
    const whole = { top: 0, left: 0, bottom: 1, right: 1 };
    /** Around the dog at the upper left, whose box ends at .4594 and .1722. */
    const corner = { top: 0, left: 0, bottom: 0.5, right: 0.2 };
    const inRegions = async (...regions: object[]) =>
      (await detect({ data: image, regions })).json.detections.map(
        ({ label, region_id }: { label: string; region_id?: string }) => [label, region_id],
      );

    test('have percentages of their own, and their ids stand beside what they let in', async () => {
      expect(await inRegions({ ...whole, id: 'yard', detect: { cat: 40 } })).toEqual([['cat', 'yard']]);
      expect(await inRegions({ ...corner, detect: { '*': 90 } })).toEqual([['dog', undefined]]);
      expect(service.runner.seen.at(-1)?.options['detect']).toMatchObject({ minScore: 0.9 });
    });

    test('take what they touch, and where they cover what is wholly inside alone', async () => {
      const half = { ...corner, right: 0.1, detect: { dog: 90 } };
      expect(await inRegions(half)).toEqual([['dog', undefined]]);
      expect(await inRegions({ ...half, covers: true })).toEqual([]);
      expect(await inRegions({ ...corner, covers: true, detect: { dog: 90 } })).toEqual([['dog', undefined]]);
      expect(await inRegions({ ...corner, top: 0.9, bottom: 1, detect: { dog: 90 } })).toEqual([]);
    });

    test('add to what is wanted in the whole image', async () => {
      const { json } = await detect({
        data: image,
        detect: { cat: 40 },
        regions: [{ ...corner, id: 'corner', detect: { '*': 90 } }],
      });
      expect(json.detections).toMatchObject([{ label: 'dog', region_id: 'corner' }, { label: 'cat' }]);
      expect(json.detections[1]).not.toHaveProperty('region_id');
    });

    test('of another form are refused', async () => {
      const wrong = await detect({ data: image, regions: [{ top: 0 }] });
      expect(wrong).toMatchObject({ status: 400, json: { error: expect.stringMatching(/regions must be/) } });
    });
  });

  test.each(['.jpg', 'jpeg', 'image/png'])(
    'image %s is answered with what was found on it',
    async (format) => {
      const { json } = await detect({ data: image, detect: { cat: 40 }, image: format });
      expect(Buffer.from(json.image, 'base64').toString()).toBe('a drawing');
      expect(service.runner.seen.at(-1)?.options['draw']).toMatchObject({
        marks: [{ title: 'cat', note: '50', box: expect.any(Object) }],
      });
      expect((await detect({ data: image, detect: { cat: 40 }, image: 'gif' })).json).not.toHaveProperty(
        'image',
      );
    },
  );

  test('takes the key wherever else a key may be', async () => {
    const wanted = { data: image, detect: { '*': 50 } };
    expect((await detect(wanted, { 'x-api-key': key })).status).toBe(200);
    expect((await detect(wanted, {}, `?api_key=${key}`)).status).toBe(200);
  });
});

describe('errors have a text in every answer', () => {
  const wanted = { data: image, detect: { '*': 50 } };
  test.each<[string, () => ReturnType<typeof detect>, number, RegExp]>([
    ['no key', () => detect(wanted, {}), 401, /API key/],
    ['a wrong key', () => detect(wanted, { 'doods-auth-key': 'wrong' }), 401, /API key/],
    ['a key of the account', () => detect(wanted, { 'doods-auth-key': service.key }), 401, /API key/],
    ['no image', () => detect({ detect: { '*': 50 } }), 400, /no image/],
    ['no base64', () => detect({ ...wanted, data: '%%%' }), 400, /base64/],
    ['no JSON', () => detect('{'), 400, /JSON/],
    ['an unknown detector', () => detect({ ...wanted, detector_name: 'no-such' }), 400, /no-such/],
    ['no percentage', () => detect({ ...wanted, detect: { '*': 'many' } }), 400, /detect must be/],
  ])('%s', async (_case, ask, status, error) => {
    const answer = await ask();
    expect(answer).toEqual({ status, json: { error: expect.stringMatching(error) } });
  });

  test('a key of another protocol opens nothing here', async () => {
    const other = await makeCompatKey(service, { protocol: 'deepstack' });
    expect((await detect(wanted, { 'doods-auth-key': other.key })).status).toBe(401);
  });
});

describe('detectors', () => {
  test('are the default one, those of the key and the built-in ones', async () => {
    const answer = await fetch(`${service.base}/detectors`, { headers: { 'doods-auth-key': key } });
    const { detectors } = JSON.parse(await answer.text());
    const names = detectors.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['default', 'yard', 'coco-accurate', 'coco-fast']);
    expect(detectors[0]).toMatchObject({ type: 'onnx', labels: [], width: 0, height: 0 });
    expect((await fetch(`${service.base}/detectors`)).status).toBe(401);
  });

  test('have the classes and the size of what is installed', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'lynceus-facts-'));
    await mkdir(join(dir, 'm'));
    const manifest = {
      ...{ id: 'm', version: '1', title: 'M', family: 'detector' },
      input: { fit: 'squash', width: 320, height: 240 },
      labels: [{ id: 'coco:1', title: 'person' }],
    };
    await writeFile(join(dir, 'm', 'manifest.json'), JSON.stringify(manifest));
    const factsOf = createModelFacts((id) => ({ id, version: '1', dir: join(dir, id) }));
    const model = { uid: 'm', id: 1, title: 'M', type: 'object_detection', parts: ['m', 'gone'] } as const;
    expect(await factsOf(model)).toEqual({ labels: ['person'], width: 320, height: 240 });
    await rm(dir, { recursive: true });
    // Read once.
    expect((await factsOf(model)).labels).toEqual(['person']);
  });
});
