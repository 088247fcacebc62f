import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLynceusClient, type LynceusClient, type Picture } from '@lynceus/client';
import {
  pictureBytes,
  startTestService,
  type TestService,
} from '@lynceus/server/dist/http/fixtures/test-service.js';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordRequests } from './recorded-requests.js';

let service: TestService;
let client: LynceusClient;
beforeAll(async () => {
  service = await startTestService({ pathPrefix: '/vision' });
  // A slash at the end does no harm.
  client = createLynceusClient({ baseUrl: `${service.base}/`, apiKey: service.key });
});
afterAll(() => service.stop());

const picture = pictureBytes(5000);
const inside = new Uint8Array([1, 2, 3, ...picture, 4, 5, 6]).subarray(3, 5003);
const shared = new Uint8Array(new SharedArrayBuffer(5000));
shared.set(picture);

describe('a picture', () => {
  test.each<[string, Picture]>([
    ['a Blob', new Blob([picture], { type: 'text/plain' })],
    ['a File', new File([picture], 'Straße "1".jpg', { type: 'image/jpeg' })],
    ['a Buffer', picture],
    ['a part of a larger Uint8Array', inside],
    ['shared memory', shared],
    ['an ArrayBuffer', new Uint8Array(picture).buffer],
  ])('may be %s, and arrives byte for byte', async (_kind, given) => {
    service.runner.seen.length = 0;
    await client.recognise(given);
    await client.detect(given);
    expect(service.runner.seen.map(({ bytes }) => bytes.equals(picture))).toEqual([true, true]);
  });

  test('may be an address, which the answer then tells', async () => {
    const host = createServer((_request, response) => response.end(picture)).listen(0, '127.0.0.1');
    await new Promise((resolve) => host.once('listening', resolve));
    const url = new URL(`http://127.0.0.1:${(host.address() as AddressInfo).port}/a b&c.jpg?d=e`);
    try {
      service.runner.seen.length = 0;
      expect((await client.recognise({ url })).url).toBe(url.href);
      expect((await client.detect({ url: url.href })).status).toBe(1);
      expect(service.runner.seen.every(({ bytes }) => bytes.equals(picture))).toBe(true);
    } finally {
      host.close();
    }
  });

  test('of any bytes is told to v2 in right base64', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60_000, size: 'max' }), async (bytes) => {
        const [request] = await recordRequests(({ detect }) => detect(bytes));
        expect(request?.parameters['base64str']).toBe(Buffer.from(bytes).toString('base64'));
      }),
      { numRuns: 50 },
    );
  });

  test.each([undefined, null, 'dog.jpg', 7, [1, 2]])('is not %s', async (wrong) => {
    const failed = client.recognise(wrong as unknown as Picture);
    await expect(failed).rejects.toMatchObject({ name: 'LynceusError', code: 'wrong_parameters' });
  });
});

describe('answers', () => {
  test('are those of the service, with the id of the analysis', async () => {
    const found = await client.recognise(picture, { parts: ['objects', 'texts'] });
    expect(found.objects.summary).toContainEqual({ count: '2', object_title: 'dog' });
    expect(found.texts.predictions[0]?.text_value).toBe('Bäckerei "Öz"');
    const others = [
      await client.recogniseWith(picture, { modelId: 201 }),
      await client.detect(picture, { modelId: 'coco-fast', confThresh: 0.6 }),
      await client.detectObjects(picture),
    ];
    for (const { fileid } of [found, ...others]) {
      expect(await client.files.read(fileid ?? '')).toMatchObject({ fileid, picture: { kind: 'jpeg' } });
    }
    expect(others[1]?.predictions[0]).toMatchObject({ class_title: 'dog', model_id: 'coco-fast', score: 1 });
  });

  test('give a kept picture back as it came, and say so where none is kept', async () => {
    const keeping = await startTestService({ keepPictures: true });
    const other = createLynceusClient({ baseUrl: keeping.base, apiKey: keeping.key });
    const { fileid } = await other.detectObjects(picture);
    const kept = await other.files.readPicture(fileid ?? '');
    expect([kept.type, Buffer.from(await kept.arrayBuffer()).equals(picture)]).toEqual(['image/jpeg', true]);
    await keeping.stop();
    const unkept = await client.detectObjects(picture);
    await expect(client.files.readPicture(unkept.fileid ?? '')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('to commands are results, also when they refuse', async () => {
    const { createPerson, insertImage, insertImageByKeyId } = client.faces;
    expect(await createPerson({ modelId: 77, personName: 'Ada' })).toMatchObject({
      status: -1,
      person_id: -1,
    });
    expect(await insertImage(picture, { personId: 77 })).toMatchObject({ status: -2 });
    expect(await insertImageByKeyId(picture, { modelId: 77, keyId: 'a' })).toMatchObject({ status: -2 });
  });

  test('tell whether the service is ready, also when it is not', async () => {
    expect([await client.health.live(), (await client.health.ready()).ready]).toEqual([
      { status: 'ok' },
      true,
    ]);
    const starting = await startTestService({ ready: () => false });
    const other = createLynceusClient({ baseUrl: starting.base, apiKey: 'none' });
    expect(await other.health.ready()).toEqual({
      ready: false,
      parts: [{ name: 'inference', ready: false }],
    });
    await starting.stop();
  });
});

describe('the account', () => {
  test('makes, renames, lists and revokes its keys', async () => {
    const { key } = await service.makeKey('keys');
    const { keys, account } = createLynceusClient({ baseUrl: service.base, apiKey: key });
    const expiresAt = new Date(Date.now() + 86_400_000);
    const made = await keys.create({ name: 'shop', expiresAt });
    expect([made.expires_at, made.is_current]).toEqual([expiresAt.toISOString(), false]);
    const mine = createLynceusClient({ baseUrl: service.base, apiKey: made.key });
    expect(await mine.account()).toEqual(await account());
    expect(await keys.change(made.id, { name: 'shop front', expiresAt: null })).toMatchObject({
      name: 'shop front',
      expires_at: null,
    });
    for (const name of ['a', 'b', 'c']) await keys.create({ name });
    const names: string[] = [];
    for await (const { name } of keys.list({ limit: 2 })) names.push(name);
    expect(names).toEqual(['c', 'b', 'a', 'shop front', 'test']);
    expect(await keys.revoke(made.id)).toBeUndefined();
    await expect(mine.account()).rejects.toMatchObject({ code: 'invalid_api_key' });
  });

  test('walks its analyses and its usage page by page, and deletes what it no longer wants', async () => {
    const { key, keyId } = await service.makeKey('walks');
    const { detectObjects, detect, files, usage } = createLynceusClient({
      baseUrl: service.base,
      apiKey: key,
    });
    const since = new Date();
    for (let made = 0; made < 4; made += 1) await detectObjects(picture);
    const last = await detect(picture);
    const heads = [];
    for await (const head of files.list({
      limit: 2,
      from: since,
      operation: 'v1.predict_object_detection',
    })) {
      heads.push(head);
    }
    expect(heads).toHaveLength(4);
    expect(new Set(heads.map(({ fileid }) => fileid)).size).toBe(4);
    await files.remove(last.fileid ?? '');
    await expect(files.read(last.fileid ?? '')).rejects.toMatchObject({ code: 'not_found', httpStatus: 404 });
    const rows = [];
    for await (const { operation, calls } of usage.list({ keyId, limit: 1 })) rows.push([operation, calls]);
    expect(rows.sort()).toEqual([
      ['v1.predict_object_detection', 4],
      ['v2.predict', 1],
    ]);
    expect((await usage.page({ limit: 1 })).total).toBe(5);
  });

  test.each(['', '.', '..'])('has no analysis named "%s"', async (fileid) => {
    await expect(client.files.remove(fileid)).rejects.toMatchObject({ code: 'wrong_parameters' });
  });

  test('is asked for the very id that was given, whatever is in it', async () => {
    await expect(client.files.read('../keys?limit=1#')).rejects.toMatchObject({ code: 'not_found' });
  });
});
