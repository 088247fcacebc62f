import { request as rawRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import { facesAt } from '../../http/fixtures/faces-at.js';
import { formWith, jpeg, makeCompatKey } from '../common/fixtures/compat-client.js';
import { file, image, type Sent, useCompreface } from './fixtures/compreface-client.js';

const client = useCompreface();
const { ask, show, enrol, subjects, perceptionOf } = client;

describe('errors have a message and a number', () => {
  const noFaces = () => {
    client.service.runner.script = async () => facesAt();
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

  test('a second face that is tiny is not one of several', async () => {
    const { faces, ...results } = facesAt(0, 40);
    const [ada, passer] = faces?.faces ?? [];
    if (ada === undefined || passer === undefined) throw new Error('two faces are shown');
    const tiny = { ...passer, quality: { ...passer.quality, sizePx: ada.quality.sizePx / 18 } };
    client.service.runner.script = async () => ({
      ...results,
      faces: { faces: [ada, tiny], embedder: faces?.embedder ?? null },
    });
    expect((await ask('POST', '/recognition/faces?subject=Ada', file())).status).toBe(201);
  });

  test.each<[string, number, number, string, string, () => Sent]>([
    ['no header', 400, 20, 'POST', '/recognition/recognize', () => ({ ...file(), key: null })],
    ['no header of a list', 400, 20, 'GET', '/recognition/subjects', () => ({ key: null })],
    ['an unknown key', 404, 10, 'POST', '/recognition/recognize', () => ({ ...file(), key: 'wrong' })],
    ['a key of the account', 404, 10, 'GET', '/recognition/faces', () => ({ key: client.service.key })],
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
    client.service.runner.script = async () => {
      throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' });
    };
    const busy = await ask('POST', '/detection/detect', file());
    expect(busy).toMatchObject({ status: 503, json: { code: 0 } });
    expect(busy.headers.get('retry-after')).toBe('1');
  });

  test('an image for a call that takes none is named', async () => {
    const answer = await ask('DELETE', '/recognition/faces?subject=Ada', file());
    expect(answer).toMatchObject({ status: 400, json: { message: expect.stringMatching(/takes none/) } });
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
      const answer = await fetch(`${client.service.base}${path}`, { headers: { 'x-api-key': client.key } });
      expect([401, 404]).toContain(answer.status);
      expect(answer.headers.get('content-type')).toContain('problem+json');
    },
  );

  test.each(['/predict/image', '/v1/vision/detection'])('%s', async (path) => {
    const form = formWith(['image', jpeg], ['api_key', client.key]);
    const answer = await fetch(`${client.service.base}${path}`, {
      ...{ method: 'POST', headers: { 'x-api-key': client.key }, body: form },
    });
    expect(answer.status).toBe(401);
  });

  test("another collection's people are not read, named, renamed, merged, nor deleted", async () => {
    const id = await enrol('Eve', 0, client.other);
    await enrol('Ada', 40);
    show(0);
    const seen = await ask('POST', '/recognition/recognize?prediction_count=9', file());
    expect(seen.text).not.toContain('Eve');
    expect(await subjects()).toEqual(['Ada']);
    expect((await ask('GET', '/recognition/faces')).text).not.toContain(id);
    for (const [method, path] of [
      ['GET', `/recognition/faces/${id}/img`],
      ['GET', `/static/${client.key}/images/${id}`],
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
    expect([await subjects(), await subjects(client.other)]).toEqual([['Eve'], ['Eve']]);
    await ask('DELETE', '/recognition/subjects/Eve');
    await ask('DELETE', '/recognition/faces');
    expect(await subjects(client.other)).toEqual(['Eve']);
    expect((await ask('GET', `/recognition/faces/${id}/img`, { key: client.other })).status).toBe(200);
  });

  test('and nothing at all once it is revoked', async () => {
    const made = await makeCompatKey(client.service, {
      protocol: 'compreface',
      perception: (await perceptionOf(client.key)).uid,
    });
    expect((await ask('GET', '/recognition/subjects', { key: made.key })).status).toBe(200);
    await fetch(`${client.service.base}/api/keys/${made.id}`, {
      ...{ method: 'DELETE', headers: { 'x-api-key': client.service.key } },
    });
    const answer = await ask('POST', '/detection/detect', { ...file(), key: made.key });
    expect(answer).toMatchObject({ status: 404, json: { code: 10 } });
  });

  test('no log has a key, also one of a path, nor a path', async () => {
    const id = await enrol('Ada', 0);
    await ask('GET', `/static/${client.key}/images/${id}`, { key: null });
    await ask('GET', `/static/${client.key}x/images/${id}`, { key: null });
    await ask('GET', `/static/${client.key}/nothing`, { key: null });
    const broken = await new Promise<string>((resolve, reject) => {
      const asked = rawRequest(`${client.service.base}/api/v1/static/${client.key}/images/%ff`, (answer) => {
        answer.setEncoding('utf8').on('data', resolve);
      });
      asked.on('error', reject).end();
    });
    expect(JSON.parse(broken)).toMatchObject({ code: 0 });
    expect(broken).not.toContain(client.key);
    const log = client.service.logLines.join('');
    expect(log).toContain('/api/v1/static/:key/images/:id');
    expect(log).not.toContain(client.key);
  });
});
