import { gzipSync } from 'node:zlib';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callApi } from '../../http/api/fixtures/call-api.js';
import { imageBytes, multipart } from '../../http/fixtures/bodies.js';
import { startTestService, type TestService } from '../../http/fixtures/test-service.js';
import { faceCalls } from './fixtures/face-calls.js';

/** Bytes free on the disk that the services below believe in. */
let freeBytes = 2 ** 40;

describe.each([
  ['face images', { accountMaxFaces: 3 }, /3 face images at most \(accountMaxFaces\)/],
  ['bytes of face images', { accountMaxFaceBytes: 4_000 }, /4000 bytes at most \(accountMaxFaceBytes\)/],
] as const)('an account with as many %s as it may have', (_, limits, message) => {
  let service: TestService;
  let api: ReturnType<typeof faceCalls>;
  let person: number;
  let perception: number;
  beforeAll(async () => {
    service = await startTestService(limits);
    api = faceCalls(service);
    perception = await api.makePerception({ name: 'staff' });
    person = await api.makePerson(perception, 'Ada', 'ada');
  });
  afterAll(() => service.stop());

  const count = async () =>
    (await service.database.query.selectFrom('face_image').select('id').execute()).length;

  test('gets no further one, by either generation, until some are deleted', async () => {
    let refused: { status: number; json: { detail?: string; code?: string } } | undefined;
    for (let image = 0; image < 20 && refused === undefined; image += 1) {
      const answer = await api.send(`/api/people/${person}/images`, image);
      if (answer.status !== 201) refused = answer;
    }
    expect([refused?.status, refused?.json.code]).toEqual([409, 'account_full']);
    expect(refused?.json.detail).toMatch(message);
    const kept = await count();
    expect(kept).toBeGreaterThan(0);
    const blobs: string[] = [];
    for await (const { id } of service.faces.imageFiles.list()) blobs.push(id);
    expect(blobs).toHaveLength(kept);
    const form = multipart([{ name: 'image', fileName: 'a.jpg', content: imageBytes(3000) }]);
    const inserted = await callApi(
      service,
      `/predict/face?command=insert_person_image&person_id_filter=${person}`,
      { method: 'POST', body: form.body, headers: form.headers },
    );
    expect([inserted.status, inserted.json]).toEqual([
      200,
      { status: 0, status_description: expect.stringMatching(message), post_type: 'insert_person_image' },
    ]);
    const [{ id } = { id: 0 }] = (await api.get(`/api/people/${person}/images`)).json.data;
    await api.remove(`/api/face-images/${id}`);
    expect((await api.send(`/api/people/${person}/images`, 0)).status).toBe(201);
  });

  test('imports no archive that has more, and nothing of it is left', async () => {
    const archive = await request(`${service.base}/api/perceptions/${perception}/export`, {
      headers: { 'x-api-key': service.key },
    });
    const imported = await importArchive(service, service.key, Buffer.from(await archive.body.arrayBuffer()));
    expect([imported.status, imported.json.code]).toEqual([409, 'account_full']);
    expect((await api.get('/api/perceptions')).json.data).toHaveLength(1);
  });
});

describe('an account with as many persons as it may have', () => {
  let service: TestService;
  let api: ReturnType<typeof faceCalls>;
  let perception: number;
  beforeAll(async () => {
    service = await startTestService({ accountMaxFaces: 3 });
    api = faceCalls(service);
    perception = await api.makePerception({ name: 'staff' });
    for (const name of ['Ada', 'Bob', 'Cyd']) await api.makePerson(perception, name, name);
  });
  afterAll(() => service.stop());
  const message = /3 persons at most \(accountMaxFaces\)/;

  test('gets no further one, by either generation, with an image or without', async () => {
    const form = multipart([{ name: 'image', fileName: 'a.jpg', content: imageBytes(3000) }]);
    const calls = await Promise.all([
      callApi(service, `/predict/face?command=create_person&model_id=${perception}&person_name=Dan`, {
        method: 'POST',
      }),
      callApi(service, `/predict/face?command=insert_person_image_key_id&model_id=${perception}&key_id=dan`, {
        method: 'POST',
        body: form.body,
        headers: form.headers,
      }),
    ]);
    for (const { status, json } of calls) {
      expect([status, json]).toMatchObject([
        200,
        { status: 0, status_description: expect.stringMatching(message) },
      ]);
    }
    const refused = await callApi(service, `/api/perceptions/${perception}/people`, {
      method: 'POST',
      body: JSON.stringify({ name: 'Dan' }),
      headers: { 'content-type': 'application/json' },
    });
    expect([refused.status, refused.json]).toMatchObject([
      409,
      { code: 'account_full', detail: expect.stringMatching(message) },
    ]);
  });
});

describe('face images and the disk', () => {
  let service: TestService;
  let api: ReturnType<typeof faceCalls>;
  beforeAll(async () => {
    service = await startTestService({ diskReserveBytes: 2 ** 30, freeBytes: () => freeBytes });
    api = faceCalls(service);
  });
  afterAll(() => service.stop());

  test('an image that would take of the reserve is refused, and nothing of it is kept', async () => {
    const perception = await api.makePerception({ name: 'staff' });
    const person = await api.makePerson(perception, 'Ada', 'ada');
    freeBytes = 2 ** 30 + 1000;
    const refused = await api.send(`/api/people/${person}/images`, 0);
    expect([refused.status, refused.json.code]).toEqual([507, 'no_space']);
    const form = multipart([{ name: 'image', fileName: 'a.jpg', content: imageBytes(3000) }]);
    const inserted = await callApi(
      service,
      `/predict/face?command=insert_person_image&person_id_filter=${person}`,
      { method: 'POST', body: form.body, headers: form.headers },
    );
    expect([inserted.status, inserted.json.status]).toEqual([503, 'Error (Service Busy)']);
    expect(inserted.headers['retry-after']).toBe('1');
    freeBytes = 2 ** 40;
    expect((await api.get(`/api/people/${person}/images`)).json.data).toEqual([]);
    expect((await api.send(`/api/people/${person}/images`, 0)).status).toBe(201);
  });

  test('a trial account imports no archive', async () => {
    const { key } = await service.makeKey('trial');
    const refused = await importArchive(service, key, Buffer.alloc(1024));
    expect([refused.status, refused.json.code]).toEqual([403, 'not_allowed']);
  });

  test('a gzip whose file name stands where a tar has its mark is no tar', async () => {
    const tar = Buffer.alloc(20 * 2 ** 20);
    const packed = gzipNamed(tar, `${'x'.repeat(247)}ustar`);
    expect(packed.toString('latin1', 257, 262)).toBe('ustar');
    const refused = await importArchive(service, service.key, packed);
    expect([refused.status, refused.json.detail]).toEqual([
      400,
      expect.stringContaining('no plain tar file'),
    ]);
  });
});

function importArchive(service: TestService, key: string, body: Buffer) {
  return callApi(service, '/api/perceptions/import', {
    method: 'POST',
    key,
    body,
    headers: { 'content-type': 'application/x-tar' },
  });
}

/** RFC 1952: a header of ten bytes with the flag FNAME, then the name and a zero. */
function gzipNamed(bytes: Buffer, name: string): Buffer {
  const packed = gzipSync(bytes);
  const header = Buffer.from(packed.subarray(0, 10));
  header[3] = 0x08;
  return Buffer.concat([header, Buffer.from(`${name}\0`, 'latin1'), packed.subarray(10)]);
}
