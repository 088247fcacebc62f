import { request as rawRequest } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { formWith, jpeg, makeCompatKey } from '../compat/fixtures/compat-client.js';
import { facesAt } from '../fixtures/faces-at.js';
import { startTestService, type TestService } from '../fixtures/test-service.js';

let service: TestService;
let key: string;
let other: string;
let usual: TestService['runner']['script'];
beforeAll(async () => {
  service = await startTestService();
  usual = service.runner.script;
  key = await makeKey('staff');
  other = await makeKey('visitors');
});
afterEach(async () => {
  service.runner.script = usual;
  for (const each of [key, other]) await ask('DELETE', '/recognition/subjects', { key: each });
});
afterAll(() => service.stop());

async function makeKey(name: string, settings: object = {}): Promise<string> {
  const made = await manage('/api/perceptions', { name });
  const wanted = { protocol: 'compreface', perception: String(made.model_id), ...settings };
  return (await makeCompatKey(service, wanted)).key;
}

async function manage(path: string, body?: object, method = 'POST') {
  const answer = await fetch(`${service.base}${path}`, {
    headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
    ...(body ? { method, body: JSON.stringify(body) } : {}),
  });
  return JSON.parse(await answer.text());
}

interface Sent {
  readonly form?: FormData;
  readonly json?: unknown;
  /** Null: without the header. */
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
}

async function ask(method: string, path: string, { form, json, key: own = key, headers = {} }: Sent = {}) {
  const answer = await fetch(`${service.base}/api/v1${path}`, {
    method,
    headers: {
      ...(own === null ? {} : { 'x-api-key': own }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(form || json !== undefined ? { body: form ?? JSON.stringify(json) } : {}),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.startsWith('application/json');
  return { status: answer.status, json: isJson ? JSON.parse(text) : null, text, headers: answer.headers };
}

/** Images that differ, so that none is the same as before. */
let drawn = 0;
const image = () => {
  drawn += 1;
  return Buffer.concat([jpeg, Buffer.from(String(drawn))]);
};
const file = (bytes: Buffer = image()) => ({ form: formWith(['file', bytes]) });
/** What the next images show: faces in these directions. */
const show = (...directionsDeg: readonly number[]) => {
  service.runner.script = async () => facesAt(...directionsDeg);
};
const enrol = async (subject: string, deg: number, own = key) => {
  show(deg);
  const answer = await ask('POST', `/recognition/faces?subject=${encodeURIComponent(subject)}`, {
    ...file(),
    key: own,
  });
  expect(answer).toMatchObject({ status: 201, json: { subject } });
  return String(answer.json.image_id);
};
const subjects = async (own = key) =>
  (await ask('GET', '/recognition/subjects/', { key: own })).json.subjects;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('recognition', () => {
  test('an image is enrolled, recognized, listed, sent, and deleted', async () => {
    const id = await enrol('Ada', 0);
    expect(id).toMatch(uuid);
    const seen = await ask('POST', '/recognition/recognize', file());
    expect(seen).toMatchObject({ status: 200 });
    expect(seen.json).toEqual({
      result: [
        {
          box: { probability: 0.99, x_max: 181, y_max: 150, x_min: 100, y_min: 51 },
          subjects: [{ subject: 'Ada', similarity: expect.any(Number) }],
        },
      ],
    });
    expect(seen.json.result[0].subjects[0].similarity).toBeGreaterThan(0.9);
    expect((await ask('GET', '/recognition/faces')).json).toEqual({
      faces: [{ image_id: id, subject: 'Ada' }],
      ...{ page_number: 0, page_size: 20, total_pages: 1, total_elements: 1 },
    });
    for (const path of [`/recognition/faces/${id}/img`, `/static/${key}/images/${id}`]) {
      const sent = await ask('GET', path, path.startsWith('/static') ? { key: null } : {});
      expect([sent.status, sent.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
      expect(sent.text.length).toBeGreaterThan(100);
    }
    const deleted = await ask('DELETE', `/recognition/faces/${id}`);
    expect(deleted).toMatchObject({ status: 200, json: { image_id: id, subject: 'Ada' } });
    expect((await ask('GET', `/recognition/faces/${id}/img`)).json.code).toBe(44);
    expect(await subjects()).toEqual(['Ada']);
  });

  test('the nearest subject is named however low, many where they are asked for, each name once', async () => {
    await enrol('Ada', 0);
    await enrol('Grace', 40);
    await enrol('Adele', 10);
    const { perception } = await perceptionOf(key);
    const { data } = await manage(`/api/perceptions/${perception}/people?search=Adele`);
    await manage(`/api/people/${data[0].id}`, { name: 'Ada' }, 'PATCH');
    show(130);
    const one = await ask('POST', '/recognition/recognize', file());
    expect(one.json.result[0].subjects).toMatchObject([{ subject: 'Grace' }]);
    expect(one.json.result[0].subjects[0].similarity).toBeLessThan(0.5);
    const many = await ask('POST', '/recognition/recognize?prediction_count=5', file());
    expect(many.json.result[0].subjects.map(({ subject }: { subject: string }) => subject)).toEqual([
      'Grace',
      'Ada',
    ]);
  });

  test('a face in an empty collection has no subject', async () => {
    expect((await ask('POST', '/recognition/recognize', file())).json.result).toMatchObject([
      { subjects: [] },
    ]);
  });

  test('limit, det_prob_threshold and what the key allows choose among the faces', async () => {
    show(0, 20, 40);
    const count = async (query: string, own = key) =>
      (await ask('POST', `/recognition/recognize?${query}`, { ...file(), key: own })).json.result?.length;
    expect(
      await Promise.all(['limit=0', 'limit=2', 'limit=', 'det_prob_threshold=0.9'].map((q) => count(q))),
    ).toEqual([3, 2, 3, 3]);
    expect((await ask('POST', '/recognition/recognize?det_prob_threshold=0.995', file())).json.code).toBe(28);
    expect(await count('limit=0', await makeKey('few', { max_predictions: 1 }))).toBe(1);
    const strict = await makeKey('strict', { min_confidence: 0.995 });
    expect(await count('det_prob_threshold=0.1', strict)).toBeUndefined();
  });

  test('plugins that there are, and the status, are answered where they are asked for', async () => {
    const { json } = await ask(
      'POST',
      '/recognition/recognize?face_plugins=age,gender,mask,calculator,landmarks,pose&status=true',
      file(),
    );
    expect(json.plugins_versions).toEqual({ detector: 'lynceus', calculator: expect.any(String) });
    expect(Object.keys(json.result[0]).sort()).toEqual([
      'box',
      'execution_time',
      'landmarks',
      'pose',
      'subjects',
    ]);
    expect(json.result[0]).toMatchObject({
      landmarks: [
        [120, 80],
        [160, 80],
        [140, 100],
        [125, 120],
        [155, 120],
      ],
      pose: { yaw: 3, pitch: -2, roll: 0 },
      execution_time: { detector: expect.any(Number) },
    });
  });

  test('an image is taken as base64 text in JSON, small and large', async () => {
    for (const size of [0, 40_000, 2_000_000]) {
      const bytes = Buffer.concat([image(), Buffer.alloc(size)]);
      const { status } = await ask('POST', '/recognition/recognize', {
        json: { file: bytes.toString('base64') },
      });
      expect(status).toBe(200);
      expect(service.runner.seen.at(-1)?.bytes).toEqual(bytes);
    }
  });

  test('each prediction is a counted call under its own name, and lists are not', async () => {
    const used = (await service.callsUsed()) ?? 0;
    const id = await enrol('Ada', 0);
    await ask('POST', '/recognition/recognize', file());
    await ask('POST', '/detection/detect', file());
    await ask('POST', `/recognition/faces/${id}/verify`, file());
    const two = formWith(['source_image', image()], ['target_image', image()]);
    await ask('POST', '/verification/verify', { form: two });
    expect(await service.callsUsed()).toBe(used + 5);
    for (const path of ['faces', 'subjects', `faces/${id}/img`]) await ask('GET', `/recognition/${path}`);
    await ask('DELETE', `/recognition/faces/${id}`);
    expect(await service.callsUsed()).toBe(used + 5);
    const { data } = await manage('/api/files?limit=2');
    expect(data.map(({ operation }: { operation: string }) => operation)).toEqual([
      'compreface.detect',
      'compreface.recognize',
    ]);
  });
});

describe('queries as clients write them', () => {
  test('the SDK puts ? where & belongs', async () => {
    const answer = await ask('POST', '/recognition/faces?subject=Ada?det_prob_threshold=0.8', file());
    expect(answer).toMatchObject({ status: 201, json: { subject: 'Ada' } });
    const strict = await ask('POST', '/recognition/faces?subject=Ada?det_prob_threshold=0.995', file());
    expect(strict).toMatchObject({ status: 400, json: { code: 28 } });
  });

  test('a name may have a question mark, a plus, a percent sign, and letters of any script', async () => {
    for (const [query, name] of [
      ['Who?', 'Who?'],
      ['Ada%20Lovelace', 'Ada Lovelace'],
      ['Ada+King', 'Ada King'],
      ['100%', '100%'],
      ['%E5%B1%B1%E7%94%B0', '山田'],
    ] as const) {
      const answer = await ask('POST', `/recognition/faces?subject=${query}`, file());
      expect([answer.status, answer.json.subject]).toEqual([201, name]);
    }
  });

  test.each([
    '?&limit=1',
    '?face_plugins=undefined',
    '?limit=',
    '?limit=undefined&status=null',
    '?',
    '??limit=1',
  ])('recognize%s', async (query) => {
    expect((await ask('POST', `/recognition/recognize${query}`, file())).status).toBe(200);
  });

  test.each(['limit=-1', 'limit=many', 'det_prob_threshold=1.5', 'prediction_count=0'])(
    '%s is refused',
    async (query) => {
      const answer = await ask('POST', `/recognition/recognize?${query}`, file());
      expect(answer).toMatchObject({ status: 400, json: { code: 26 } });
    },
  );
});

describe('subjects', () => {
  test('are added, renamed, merged, and deleted', async () => {
    expect(await ask('POST', '/recognition/subjects', { json: { subject: 'Ada' } })).toMatchObject({
      status: 201,
      json: { subject: 'Ada' },
    });
    const again = await ask('POST', '/recognition/subjects', { json: { subject: 'Ada' } });
    expect(again).toMatchObject({ status: 400, json: { code: 43 } });
    const id = await enrol('Grace', 0);
    expect(await subjects()).toEqual(['Ada', 'Grace']);
    const renamed = await ask('PUT', '/recognition/subjects/Grace', { json: { subject: 'Grace Hopper' } });
    expect(renamed).toMatchObject({ status: 200, json: { updated: true } });
    const merged = await ask('PUT', '/recognition/subjects/Grace%20Hopper', { json: { subject: 'Ada' } });
    expect(merged.json).toEqual({ updated: true });
    expect(await subjects()).toEqual(['Ada']);
    // The id of the image is as before.
    expect((await ask('GET', '/recognition/faces')).json.faces).toEqual([{ image_id: id, subject: 'Ada' }]);
    expect((await ask('DELETE', '/recognition/subjects/Ada')).json).toEqual({ subject: 'Ada' });
    expect(await subjects()).toEqual([]);
  });

  test('a long name of any script is renamed, and one renamed to itself stays', async () => {
    const name = '山'.repeat(200);
    await ask('POST', '/recognition/subjects', { json: { subject: name } });
    const path = `/recognition/subjects/${encodeURIComponent(name)}`;
    expect((await ask('PUT', path, { json: { subject: name } })).json).toEqual({ updated: true });
    expect((await ask('PUT', path, { json: { subject: 'a/b' } })).json).toEqual({ updated: true });
    expect((await ask('DELETE', '/recognition/subjects/a%2Fb')).json).toEqual({ subject: 'a/b' });
  });

  test('people with a key id each are merged, and that of the other stays', async () => {
    const { perception } = await perceptionOf(key);
    const made = await manage(`/api/perceptions/${perception}/people`, { name: 'Ada', key_id: 'a' });
    await manage(`/api/perceptions/${perception}/people`, { name: 'Countess', key_id: 'c' });
    const merged = await ask('PUT', '/recognition/subjects/Countess', { json: { subject: 'Ada' } });
    expect(merged.json).toEqual({ updated: true });
    expect(await manage(`/api/people/${made.id}`)).toMatchObject({ name: 'Ada', key_id: 'a' });
  });

  test('images of a new subject that come at once become one person', async () => {
    show(0);
    const path = '/recognition/faces?subject=Ada';
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask('POST', path, file())));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const { json } = await ask('GET', '/recognition/faces?subject=Ada');
    expect(json.total_elements).toBe(4);
    expect((await ask('DELETE', '/recognition/subjects')).json).toEqual({ deleted: 1 });
  });

  test('all are deleted at once, with how many they were', async () => {
    for (const [at, name] of ['Ada', 'Grace', 'Mary'].entries()) await enrol(name, 40 * at);
    expect((await ask('DELETE', '/recognition/subjects')).json).toEqual({ deleted: 3 });
    expect((await ask('GET', '/recognition/faces')).json).toMatchObject({ faces: [], total_elements: 0 });
  });
});

describe('faces', () => {
  test('are listed page by page, and by subject', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 5; at += 1) ids.push(await enrol(at < 3 ? 'Ada' : 'Grace', 10 * at));
    const page = async (query: string) => (await ask('GET', `/recognition/faces?${query}`)).json;
    const pages = await Promise.all([0, 1, 2, 3].map((at) => page(`page=${at}&size=2`)));
    expect(pages.flatMap(({ faces }) => faces.map((face: { image_id: string }) => face.image_id))).toEqual(
      ids,
    );
    expect(pages[1]).toMatchObject({ page_number: 1, page_size: 2, total_pages: 3, total_elements: 5 });
    expect(await page('subject=Grace&size=1')).toMatchObject({
      ...{ faces: [{ image_id: ids[3], subject: 'Grace' }], total_elements: 2, total_pages: 2 },
    });
    expect(await page('subject=Nobody')).toMatchObject({ faces: [], total_elements: 0, total_pages: 0 });
  });

  test('are deleted by a list of ids, by subject, and all', async () => {
    const [ada, grace] = [await enrol('Ada', 0), await enrol('Grace', 40)];
    const foreign = await enrol('Eve', 80, other);
    const some = await ask('POST', '/recognition/faces/delete', { json: [ada, foreign, 'x', 7, ada] });
    expect(some).toMatchObject({ status: 200, json: [{ image_id: ada, subject: 'Ada' }] });
    expect((await ask('DELETE', '/recognition/faces?subject=Nobody')).json).toEqual({ deleted: 0 });
    expect((await ask('DELETE', '/recognition/faces?subject=Grace')).json).toEqual({ deleted: 1 });
    expect((await ask('DELETE', `/recognition/faces/${grace}`)).json.code).toBe(44);
    await enrol('Mary', 0);
    expect((await ask('DELETE', '/recognition/faces')).json).toEqual({ deleted: 1 });
    expect(await subjects()).toEqual([]);
    expect(await subjects(other)).toEqual(['Eve']);
  });

  test('an image is compared with a stored one, each face of it', async () => {
    const id = await enrol('Ada', 0);
    show(0, 60);
    const { json } = await ask('POST', `/recognition/faces/${id}/verify`, file());
    expect(json.result).toHaveLength(2);
    expect(json.result[0].similarity).toBeGreaterThan(0.9);
    expect(json.result[1].similarity).toBeLessThan(json.result[0].similarity);
  });
});

describe('detection and verification', () => {
  test('boxes of faces', async () => {
    const { json } = await ask('POST', '/detection/detect?face_plugins=landmarks&status=true', file());
    expect(json.result).toMatchObject([
      { box: { probability: 0.99, x_min: 100 }, landmarks: expect.any(Array), execution_time: {} },
    ]);
    expect(json.result[0].subjects).toBeUndefined();
  });

  const isAlike = ({ status, json }: Awaited<ReturnType<typeof ask>>) => {
    expect(status).toBe(200);
    expect(json.result).toMatchObject([
      { source_image_face: { box: { x_min: 100 } }, face_matches: [{ box: { x_min: 100 } }] },
    ]);
    expect(json.result[0].face_matches[0].similarity).toBeGreaterThan(0.9);
  };

  test('two images of a form, in any order', async () => {
    isAlike(
      await ask('POST', '/verification/verify?status=true', {
        form: formWith(['target_image', image()], ['source_image', image()]),
      }),
    );
  });

  test.each([10, 30_000, 900_000])('two images in JSON, of %i bytes more', async (size) => {
    const [first, second] = [1, 2].map((at) => Buffer.concat([image(), Buffer.alloc(size, at)]));
    const json = { source_image: first?.toString('base64'), target_image: second?.toString('base64') };
    isAlike(await ask('POST', '/verification/verify', { json }));
    const seen = service.runner.seen.slice(-2).map(({ bytes }) => bytes.length);
    expect(seen.sort()).toEqual([first?.length, second?.length].sort());
  });
});

describe('errors have a message and a number', () => {
  const noFaces = () => {
    service.runner.script = async () => facesAt();
  };

  test.each(['/recognition/recognize', '/recognition/faces?subject=Ada', '/detection/detect'])(
    'no face: 28 of %s',
    async (path) => {
      noFaces();
      expect(await ask('POST', path, file())).toMatchObject({
        status: 400,
        json: { message: 'No face is found in the given image', code: 28 },
      });
      expect(await subjects()).toEqual([]);
    },
  );

  test('no face in one of two images: 28', async () => {
    noFaces();
    const form = formWith(['source_image', image()], ['target_image', image()]);
    expect(await ask('POST', '/verification/verify', { form })).toMatchObject({
      status: 400,
      json: { code: 28 },
    });
  });

  test('several faces on enrolment: 31, and nothing is kept', async () => {
    show(0, 40);
    const answer = await ask('POST', '/recognition/faces?subject=Ada', file());
    expect(answer).toMatchObject({ status: 400, json: { code: 31 } });
    expect(await subjects()).toEqual([]);
  });

  test.each<[string, number, number, string, string, () => Sent]>([
    ['no header', 400, 20, 'POST', '/recognition/recognize', () => ({ ...file(), key: null })],
    ['no header of a list', 400, 20, 'GET', '/recognition/subjects', () => ({ key: null })],
    ['an unknown key', 404, 10, 'POST', '/recognition/recognize', () => ({ ...file(), key: 'wrong' })],
    ['a key of the account', 404, 10, 'GET', '/recognition/faces', () => ({ key: service.key })],
    ['an unknown key in a path', 404, 10, 'GET', '/static/lyn_wrong/images/1', () => ({ key: null })],
    ['no image in a form', 400, 34, 'POST', '/recognition/recognize', () => ({ form: formWith(['x', 'y']) })],
    ['no image in JSON', 400, 34, 'POST', '/recognition/recognize', () => ({ json: {} })],
    ['no body', 400, 34, 'POST', '/detection/detect', () => ({})],
    ['one image of two', 400, 34, 'POST', '/verification/verify', () => ({ json: { source_image: 'AAAA' } })],
    ['an image of no bytes', 400, 34, 'POST', '/detection/detect', () => file(Buffer.alloc(0))],
    ['no base64', 400, 21, 'POST', '/detection/detect', () => ({ json: { file: '!!' } })],
    ['no JSON', 400, 0, 'POST', '/recognition/subjects', () => ({ form: formWith(['subject', 'Ada']) })],
    ['no subject on enrolment', 400, 33, 'POST', '/recognition/faces', () => file()],
    ['a subject that is no name', 400, 26, 'POST', '/recognition/faces?subject=a%00b', () => file()],
    ['an empty subject', 400, 26, 'POST', '/recognition/subjects', () => ({ json: { subject: ' ' } })],
    ['no list', 400, 26, 'POST', '/recognition/faces/delete', () => ({ json: {} })],
    ['an unknown subject', 404, 42, 'DELETE', '/recognition/subjects/Nobody', () => ({})],
    [
      'an unknown one renamed',
      404,
      42,
      'PUT',
      '/recognition/subjects/No',
      () => ({ json: { subject: 'Ada' } }),
    ],
    [
      'an unknown image',
      404,
      44,
      'DELETE',
      '/recognition/faces/6b135f5b-a365-4522-b1f1-4c9ac2dd0728',
      () => ({}),
    ],
    ['no id', 404, 44, 'POST', '/recognition/faces/1/verify', file],
    ['a wrong method', 404, 0, 'GET', '/recognition/recognize', () => ({})],
    ['another wrong method', 404, 0, 'PATCH', '/recognition/subjects/Ada', () => ({})],
    ['an unknown path', 404, 0, 'GET', '/recognition/nothing', () => ({})],
    ['nothing below', 404, 0, 'GET', '/static', () => ({ headers: { accept: 'text/html' } })],
    ['a path of bad encoding', 400, 0, 'GET', '/recognition/faces/%ff/img', () => ({})],
    ['an unknown path asked by OPTIONS', 404, 0, 'OPTIONS', '/recognition/nothing', () => ({})],
  ])('%s: %i, %i', async (_case, status, code, method, path, sent) => {
    const answer = await ask(method, path, sent());
    expect(answer).toMatchObject({ status, json: { message: expect.stringMatching(/./), code } });
    expect(Object.keys(answer.json)).toEqual(['message', 'code']);
  });

  test('a body that is too large: 413, and a busy service: 503, with the number 0', async () => {
    const form = formWith(['file', Buffer.alloc(60_000_000)]);
    expect(await ask('POST', '/detection/detect', { form })).toMatchObject({
      status: 413,
      json: { code: 0 },
    });
    service.runner.script = async () => {
      throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' });
    };
    const busy = await ask('POST', '/detection/detect', file());
    expect(busy).toMatchObject({ status: 503, json: { code: 0 } });
    expect(busy.headers.get('retry-after')).toBe('1');
  });

  test('pages of other origins may ask, by all methods of a path', async () => {
    const headers = { origin: 'https://page.example', 'access-control-request-method': 'DELETE' };
    const answer = await ask('OPTIONS', '/recognition/subjects/Ada', { key: null, headers });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-methods')).toContain('DELETE');
    const listed = await ask('GET', '/recognition/subjects', { headers });
    expect(listed.headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('the key opens nothing else', () => {
  test.each(['/api/account', '/api/keys', '/api/perceptions', '/api/v1', '/api/v1/recognitions'])(
    '%s',
    async (path) => {
      const answer = await fetch(`${service.base}${path}`, { headers: { 'x-api-key': key } });
      expect([401, 404]).toContain(answer.status);
      expect(answer.headers.get('content-type')).toContain('problem+json');
    },
  );

  test.each(['/predict/image', '/v1/vision/detection'])('%s', async (path) => {
    const form = formWith(['image', jpeg], ['api_key', key]);
    const answer = await fetch(`${service.base}${path}`, {
      ...{ method: 'POST', headers: { 'x-api-key': key }, body: form },
    });
    expect(answer.status).toBe(401);
  });

  test("another collection's people are not read, named, renamed, merged, nor deleted", async () => {
    const id = await enrol('Eve', 0, other);
    await enrol('Ada', 40);
    show(0);
    const seen = await ask('POST', '/recognition/recognize?prediction_count=9', file());
    expect(seen.text).not.toContain('Eve');
    expect(await subjects()).toEqual(['Ada']);
    expect((await ask('GET', '/recognition/faces')).text).not.toContain(id);
    for (const [method, path] of [
      ['GET', `/recognition/faces/${id}/img`],
      ['GET', `/static/${key}/images/${id}`],
      ['DELETE', `/recognition/faces/${id}`],
    ] as const) {
      expect(await ask(method, path)).toMatchObject({ status: 404, json: { code: 44 } });
    }
    const verified = await ask('POST', `/recognition/faces/${id}/verify`, file());
    expect(verified).toMatchObject({ status: 404, json: { code: 44 } });
    const renamed = await ask('PUT', '/recognition/subjects/Eve', { json: { subject: 'Ada' } });
    expect(renamed).toMatchObject({ status: 404, json: { code: 42 } });
    // A new name, and no merge into the person of the other collection.
    await ask('PUT', '/recognition/subjects/Ada', { json: { subject: 'Eve' } });
    expect([await subjects(), await subjects(other)]).toEqual([['Eve'], ['Eve']]);
    await ask('DELETE', '/recognition/subjects/Eve');
    await ask('DELETE', '/recognition/faces');
    expect(await subjects(other)).toEqual(['Eve']);
    expect((await ask('GET', `/recognition/faces/${id}/img`, { key: other })).status).toBe(200);
  });

  test('and nothing at all once it is revoked', async () => {
    const made = await makeCompatKey(service, {
      protocol: 'compreface',
      perception: (await perceptionOf(key)).uid,
    });
    expect((await ask('GET', '/recognition/subjects', { key: made.key })).status).toBe(200);
    await fetch(`${service.base}/api/keys/${made.id}`, {
      ...{ method: 'DELETE', headers: { 'x-api-key': service.key } },
    });
    const answer = await ask('POST', '/detection/detect', { ...file(), key: made.key });
    expect(answer).toMatchObject({ status: 404, json: { code: 10 } });
  });

  test('no log has a key, also one of a path, nor a path', async () => {
    const id = await enrol('Ada', 0);
    await ask('GET', `/static/${key}/images/${id}`, { key: null });
    await ask('GET', `/static/${key}x/images/${id}`, { key: null });
    await ask('GET', `/static/${key}/nothing`, { key: null });
    const broken = await new Promise<string>((resolve, reject) => {
      const asked = rawRequest(`${service.base}/api/v1/static/${key}/images/%ff`, (answer) => {
        answer.setEncoding('utf8').on('data', resolve);
      });
      asked.on('error', reject).end();
    });
    expect(JSON.parse(broken)).toMatchObject({ code: 0 });
    expect(broken).not.toContain(key);
    const log = service.logLines.join('');
    expect(log).toContain('/api/v1/static/:key/images/:id');
    expect(log).not.toContain(key);
  });
});

/** Of the perception that a key names. */
async function perceptionOf(own: string): Promise<{ readonly perception: number; readonly uid: string }> {
  const { data } = await manage('/api/perceptions');
  const name = own === key ? 'staff' : 'visitors';
  const found = data.find((each: { name: string }) => each.name === name);
  return { perception: found.model_id, uid: found.uid };
}
