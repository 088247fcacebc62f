import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callApi } from '../../http/api/fixtures/call-api.js';
import { imageBytes } from '../../http/fixtures/bodies.js';
import { facesAt } from '../../http/fixtures/faces-at.js';
import { isBehindNginx, startTestService, type TestService } from '../../http/fixtures/test-service.js';
import { writeTar } from '../../storage/archive/write-tar.js';
import { faceCalls } from './fixtures/face-calls.js';

const maxArchiveBytes = 3_000_000;
let service: TestService;
let api: ReturnType<typeof faceCalls>;
let staff: number;
let archive: Buffer;
beforeAll(async () => {
  service = await startTestService({ requestTimeoutMs: 400, maxArchiveBytes });
  api = faceCalls(service);
  staff = await api.makePerception({ name: 'Empfang "☕"\r\n' });
  await api.put(`/api/perceptions/${staff}/calibration`, { midpoint: 0.4, slope: 9 });
  for (const [index, name] of ['Ada', 'Bob', 'Cleo'].entries()) {
    const person = await api.makePerson(staff, name, `key-${index}`);
    for (const image of [0, 3]) await api.addImage(person, index * 90 + image);
  }
  archive = Buffer.from(await (await download(staff)).body.arrayBuffer());
});
afterAll(() => service.stop());
let modelsBefore: number[];
beforeEach(async () => {
  modelsBefore = await models();
});

const models = async (): Promise<number[]> =>
  (await api.get('/api/perceptions')).json.data.map(({ model_id: id }: { model_id: number }) => id);
const download = (id: number) =>
  request(`${service.base}/api/perceptions/${id}/export`, { headers: { 'x-api-key': service.key } });
const send = (body: Buffer | string, headers: Record<string, string> = {}) =>
  callApi(service, '/api/perceptions/import', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/x-tar', ...headers },
  });
const rowsAndImages = async () => {
  const tables = ['perception', 'person', 'face_image', 'face_embedding'] as const;
  const counts = tables.map(async (table) => {
    const rows = await service.database.query.selectFrom(table).select('account_id').execute();
    return rows.length;
  });
  const blobs: string[] = [];
  for await (const { id } of service.faces.imageFiles.list()) blobs.push(id);
  return [...(await Promise.all(counts)), blobs.length];
};
/** Sends a part of an archive of such a length, and waits. */
const begin = (part: Buffer, length = archive.byteLength) => {
  const socket = connect(service.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `POST /api/perceptions/import?api_key=${service.key} HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-tar\r\nContent-Length: ${length}\r\n\r\n`,
  );
  socket.write(part);
  return socket;
};

describe('a perception that is exported and imported', () => {
  test('comes as a file with a safe name', async () => {
    const { statusCode, headers, body } = await download(staff);
    expect([statusCode, headers['content-type'], headers['content-disposition']]).toEqual([
      200,
      'application/x-tar',
      `attachment; filename="perception-${staff}.tar"`,
    ]);
    await body.dump();
  });

  test('is another one with the same people, images, settings and answers', async () => {
    const { status, json } = await send(archive);
    expect([status, json]).toEqual([
      201,
      {
        perception: expect.objectContaining({ calibration: { midpoint: 0.4, slope: 9 } }),
        people: 3,
        images: 6,
        re_embedded: 0,
        left_out: 0,
      },
    ]);
    const { model_id: made, name } = json.perception;
    expect(name).toBe((await api.get(`/api/perceptions/${staff}`)).json.name);
    const answers = await Promise.all(
      [staff, made].map(async (id) => {
        const { faces } = (await api.send(`/api/perceptions/${id}/search`, 91)).json;
        const { candidates, verdict } = faces[0];
        return [verdict, candidates[0].name, candidates[0].key_id, candidates[0].similarity];
      }),
    );
    expect(answers[1]).toEqual(answers[0]);
    const sums = async (id: number) => {
      const { data } = (await api.get(`/api/perceptions/${id}/images`)).json;
      const imageFiles = data.map(async (image: { id: number }) => {
        const { body } = await request(`${service.base}/api/face-images/${image.id}/content`, {
          headers: { 'x-api-key': service.key },
        });
        return createHash('sha256')
          .update(await body.bytes())
          .digest('hex');
      });
      return Promise.all(imageFiles);
    };
    expect(await sums(made)).toEqual(await sums(staff));
    await api.remove(`/api/perceptions/${made}`);
  });

  test('may take longer than other requests to arrive, while it arrives', async () => {
    const socket = begin(archive.subarray(0, 1000));
    const answer = once(socket, 'data');
    for (let at = 1000; at < archive.byteLength; at += 6000) {
      await sleep(200);
      socket.write(archive.subarray(at, at + 6000));
    }
    expect(String(await answer)).toMatch(/^HTTP\/1\.1 201 /);
    socket.destroy();
    const [made] = await models();
    await api.remove(`/api/perceptions/${made}`);
  });
});

describe('an import that is not one leaves nothing', () => {
  test.each<[string, () => [Buffer | string, Record<string, string>?], number, string, RegExp]>([
    ['nothing', () => [''], 400, 'no_file', /as the body/],
    [
      'a form',
      () => ['--a--', { 'content-type': 'multipart/form-data; boundary=a' }],
      400,
      'bad_request',
      /x-tar/,
    ],
    ['JSON', () => ['{}', { 'content-type': 'application/json' }], 400, 'bad_request', /x-tar/],
    ['text', () => ['x'.repeat(9000)], 400, 'bad_request', /no plain tar/],
    ['half of one', () => [archive.subarray(0, archive.byteLength >> 1)], 400, 'bad_request', /cut short/],
    [
      'one twice',
      () => [Buffer.concat([archive.subarray(0, -1024), archive])],
      400,
      'bad_request',
      /follows/,
    ],
    ['one too large', () => [Buffer.alloc(maxArchiveBytes + 1)], 413, 'file_too_large', /3000000 bytes/],
  ])('%s', async (_what, make, status, code, detail) => {
    const before = await rowsAndImages();
    const answer = await send(...make());
    expect([answer.status, answer.json.code, answer.json.detail]).toEqual([
      status,
      code,
      expect.stringMatching(detail),
    ]);
    expect(await rowsAndImages()).toEqual(before);
  });

  test('one that grows too large without having said so', async () => {
    const before = await rowsAndImages();
    async function* endless() {
      yield archive.subarray(0, archive.indexOf('people/'));
      const content = Array<Uint8Array>(40).fill(Buffer.alloc(100_000));
      const image = { name: 'images/1.image', sizeBytes: 4_000_000, content };
      async function* members() {
        yield image;
      }
      yield* writeTar(members());
    }
    const answer = await request(`${service.base}/api/perceptions/import`, {
      method: 'POST',
      headers: { 'x-api-key': service.key, 'content-type': 'application/x-tar' },
      body: Readable.from(endless()),
    });
    expect([answer.statusCode, await answer.body.json()]).toMatchObject([413, { code: 'file_too_large' }]);
    expect(await rowsAndImages()).toEqual(before);
  });

  test('a client that leaves, and one that falls silent, which gets an answer', async () => {
    const before = await rowsAndImages();
    const half = archive.subarray(0, archive.byteLength >> 1);
    const leaving = begin(half);
    await sleep(100);
    leaving.destroy();
    await expect.poll(rowsAndImages, { timeout: 120_000 }).toEqual(before);

    const silent = begin(half);
    const [answer] = await once(silent, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 408 (.|\s)*nothing came for 400 ms/);
    silent.destroy();
    await expect.poll(rowsAndImages, { timeout: 120_000 }).toEqual(before);
    expect(await models()).toEqual(modelsBefore);
  });

  test('a second one of the account meanwhile is rejected until then', async () => {
    const first = begin(archive.subarray(0, 2000));
    await sleep(100);
    const second = await send(archive);
    expect([second.status, second.json.code]).toEqual([409, 'conflict']);
    first.destroy();
    await expect.poll(async () => (await send(archive)).status).toBe(201);
    const [made] = await models();
    await api.remove(`/api/perceptions/${made}`);
  });
});

// It looks for open files of images, which replicas have in a bucket.
test.skipIf(process.platform !== 'linux' || isBehindNginx)(
  'a client that leaves an export ends the reading of it',
  async () => {
    const openImages = async () => {
      const links = (await readdir('/proc/self/fd')).map((fd) =>
        readlink(`/proc/self/fd/${fd}`).catch(() => ''),
      );
      return (await Promise.all(links)).filter((path) => path.includes('/faces/')).length;
    };
    const big = await api.makePerception();
    const ada = await api.makePerson(big, 'Ada');
    for (let image = 0; image < 4; image += 1) {
      service.runner.script = async () => facesAt(image);
      await callApi(service, `/api/people/${ada}/images`, {
        method: 'POST',
        body: imageBytes(4_000_000 - image),
        headers: { 'content-type': 'image/jpeg' },
      });
    }
    const socket = connect(service.port, '127.0.0.1');
    socket.write(`GET /api/perceptions/${big}/export?api_key=${service.key} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await once(socket, 'readable');
    await expect.poll(openImages).toBe(1);
    await sleep(200);
    // It waits for whoever does not take it.
    expect(await openImages()).toBe(1);
    socket.destroy();
    await expect.poll(openImages).toBe(0);
  },
);
