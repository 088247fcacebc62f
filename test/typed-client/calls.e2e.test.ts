import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLynceusClient, type Image, type LynceusClient } from '@lynceus/client';
import { imageBytes } from '@lynceus/server/dist/http/fixtures/bodies.js';
import { startTestService, type TestService } from '@lynceus/server/dist/http/fixtures/test-service.js';
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

const image = imageBytes(5000);
const inside = new Uint8Array([1, 2, 3, ...image, 4, 5, 6]).subarray(3, 5003);
const shared = new Uint8Array(new SharedArrayBuffer(5000));
shared.set(image);

describe('an image', () => {
  test.each<[string, Image]>([
    ['a Blob', new Blob([image], { type: 'text/plain' })],
    ['a File', new File([image], 'Straße "1".jpg', { type: 'image/jpeg' })],
    ['a Buffer', image],
    ['a part of a larger Uint8Array', inside],
    ['shared memory', shared],
    ['an ArrayBuffer', new Uint8Array(image).buffer],
  ])('may be %s, and arrives byte for byte', async (_kind, given) => {
    service.runner.seen.length = 0;
    await client.recognise(given);
    await client.detect(given);
    expect(service.runner.seen.map(({ bytes }) => bytes.equals(image))).toEqual([true, true]);
  });

  test('may be an address, which the answer then has', async () => {
    const host = createServer((_request, response) => response.end(image)).listen(0, '127.0.0.1');
    await new Promise((resolve) => host.once('listening', resolve));
    const url = new URL(`http://127.0.0.1:${(host.address() as AddressInfo).port}/a b&c.jpg?d=e`);
    try {
      service.runner.seen.length = 0;
      expect((await client.recognise({ url })).url).toBe(url.href);
      expect((await client.detect({ url: url.href })).status).toBe(1);
      expect(service.runner.seen.every(({ bytes }) => bytes.equals(image))).toBe(true);
    } finally {
      host.close();
    }
  });

  test('of any bytes is sent to v2 in correct base64', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60_000, size: 'max' }), async (bytes) => {
        const [request] = await recordRequests(({ detect }) => detect(bytes));
        expect(request?.parameters['base64str']).toBe(Buffer.from(bytes).toString('base64'));
      }),
      { numRuns: 50 },
    );
  });

  test.each([undefined, null, 'dog.jpg', 7, [1, 2]])('is not %s', async (wrong) => {
    const failed = client.recognise(wrong as unknown as Image);
    await expect(failed).rejects.toMatchObject({ name: 'LynceusError', code: 'wrong_parameters' });
  });
});

describe('answers', () => {
  test('are those of the service, with the id of the analysis', async () => {
    const found = await client.recognise(image, { parts: ['objects', 'texts'] });
    expect(found.objects.summary).toContainEqual({ count: '2', object_title: 'dog' });
    expect(found.texts.predictions[0]?.text_value).toBe('Bäckerei "Öz"');
    const others = [
      await client.recogniseWith(image, { modelId: 201 }),
      await client.detect(image, { modelId: 'coco-fast', confThresh: 0.6 }),
      await client.detectObjects(image),
    ];
    for (const { fileid } of [found, ...others]) {
      expect(await client.files.read(fileid ?? '')).toMatchObject({ fileid, image: { kind: 'jpeg' } });
    }
    expect(others[1]?.predictions[0]).toMatchObject({ class_title: 'dog', model_id: 'coco-fast', score: 1 });
  });

  test('give a kept image back as it came, and say so where none is kept', async () => {
    const keeping = await startTestService({ keepImages: true });
    const other = createLynceusClient({ baseUrl: keeping.base, apiKey: keeping.key });
    const { fileid } = await other.detectObjects(image);
    const kept = await other.files.readContent(fileid ?? '');
    expect([kept.type, Buffer.from(await kept.arrayBuffer()).equals(image)]).toEqual(['image/jpeg', true]);
    await keeping.stop();
    const unkept = await client.detectObjects(image);
    await expect(client.files.readContent(unkept.fileid ?? '')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('to commands are results, also when they refuse', async () => {
    const { createPerson, insertImage, insertImageByKeyId } = client.faces;
    expect(await createPerson({ modelId: 77, personName: 'Ada' })).toMatchObject({
      status: -1,
      person_id: -1,
    });
    expect(await insertImage(image, { personId: 77 })).toMatchObject({ status: -2 });
    expect(await insertImageByKeyId(image, { modelId: 77, keyId: 'a' })).toMatchObject({ status: -2 });
  });

  test('return whether the service is ready, also when it is not', async () => {
    expect([await client.health.live(), (await client.health.ready()).ready]).toEqual([
      { status: 'ok' },
      true,
    ]);
    const starting = await startTestService({ ready: () => false });
    const other = createLynceusClient({ baseUrl: starting.base, apiKey: 'none' });
    expect(await other.health.ready()).toEqual({
      ready: false,
      components: [{ name: 'inference', ready: false }],
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
    for (let made = 0; made < 4; made += 1) await detectObjects(image);
    const last = await detect(image);
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
