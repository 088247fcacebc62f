import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { BlobStore } from '../blobs/blob-store.js';
import { blobContract, bytesOf, idOf, idsIn, piecesOf } from '../blobs/fixtures/blob-contract.js';
import type { ObjectServer } from '../blobs/fixtures/object-server.js';
import { startRadosgw } from '../blobs/fixtures/radosgw.js';
import { haveStore } from '../blobs/fixtures/store-programs.js';
import { createObjectQuarantine } from '../quarantine/object-quarantine.js';
import type { QuarantinedItem } from '../quarantine/quarantine.js';
import type { Bucket } from './bucket.js';
import { bodyOf } from './digests.js';
import { type FileCache, openFileCache } from './file-cache.js';
import { createObjectBlobs } from './object-blobs.js';
import { openObjectStorage } from './object-storage.js';
import { openBucket } from './open-bucket.js';
import type { RetryLimits } from './with-retries.js';

describe.skipIf(!haveStore('ceph'))('blobs in a bucket of radosgw', { timeout: 300_000 }, () => {
  let server: ObjectServer;
  let dir: string;
  let prefix: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lynceus-objects-'));
    server = await startRadosgw();
  }, 300_000);
  afterAll(async () => {
    await server?.stop();
    await rm(dir, { recursive: true, force: true });
  });
  beforeEach(() => {
    prefix = `${randomUUID()}/`;
  });

  const bucketBy = (
    keys: Partial<ObjectServer> = {},
    retries?: RetryLimits,
    copiedPartBytes?: number,
  ): Bucket => {
    const { endpoint, region, bucket, accessKeyId, secretAccessKey } = { ...server, ...keys };
    return openBucket({
      ...{ endpoint, region, isPathStyle: true, encryption: '', encryptionKeyId: '' },
      address: { bucket, prefix },
      credentials: { accessKeyId, secretAccessKey },
      ...(retries ? { retries } : {}),
      ...(copiedPartBytes ? { copiedPartBytes } : {}),
    });
  };
  const open = async (bucket = bucketBy()): Promise<BlobStore> =>
    createObjectBlobs(bucket, await openFileCache(join(dir, randomUUID()), 50_000_000), 'faces');

  blobContract(open);

  test('what is larger than a part goes up in parts, and the digest is kept beside it', async () => {
    const bucket = bucketBy();
    const blobs = await open(bucket);
    const piece = Buffer.alloc(1_000_000, 'zip');
    await blobs.write(idOf('a'), piecesOf(...Array.from({ length: 70 }, () => piece)));
    expect(await blobs.sizeOf(idOf('a'))).toBe(70_000_000);
    expect((await bucket.head(blobs.placeOf(idOf('a'))))?.sha256).toMatch(/^[0-9a-f]{64}$/);
    const again = await open();
    expect((await bytesOf(again, idOf('a')))?.subarray(65_000_000, 65_000_003).toString()).toBe(
      piece.subarray(0, 3).toString(),
    );
  });

  test('what is larger than a part is copied in parts, whole and with its digest', async () => {
    const bucket = bucketBy({}, undefined, 5 * 2 ** 20);
    const bytes = Buffer.alloc(12_000_001, randomUUID());
    await bucket.put('faces/large', bodyOf(bytes));
    expect(await bucket.copy('faces/large', 'quarantine/large')).toBe(true);
    const [from, to] = await Promise.all(['faces/large', 'quarantine/large'].map(bucket.head));
    expect(to?.sha256).toBe(from?.sha256);
    const copy = await bucket.get('quarantine/large');
    expect(copy && (await buffer(copy.stream)).equals(bytes)).toBe(true);
    expect(await bucket.copy('faces/none', 'quarantine/none')).toBe(false);
  });

  test('on a disk that is full but for the reserve, files that nobody holds make room', async () => {
    const cacheDir = join(dir, randomUUID());
    vi.stubEnv('AWS_ACCESS_KEY_ID', server.accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', server.secretAccessKey);
    onTestFinished(() => void vi.unstubAllEnvs());
    let cache: FileCache | null = null;
    const objects = await openObjectStorage(
      {
        ...{ blobs: `s3://${server.bucket}/${prefix}`, blobsEndpoint: server.endpoint },
        ...{ blobsRegion: server.region, blobsPathStyle: true, blobsEncryption: '', blobsEncryptionKey: '' },
        ...{ blobCacheMaxMb: 1000, modelCacheMaxMb: 1000, diskReserveBytes: 1 },
      },
      { dir, blobCacheDir: join(cacheDir, 'files'), modelCacheDir: join(cacheDir, 'models') },
      // Room for two files, and for what a stream asks for.
      async () => 8 * 2 ** 20 + 1 + 2_000_000 - (cache?.bytes() ?? 0),
    );
    if (objects === null) throw new Error('there is no bucket');
    cache = objects.cache;
    const blobs = objects.blobs('faces');
    for (const letter of ['a', 'b', 'c', 'd']) {
      await objects.bucket.put(blobs.placeOf(idOf(letter)), bodyOf(Buffer.alloc(1_000_000, letter)));
    }
    const [first, second] = [await blobs.hold(idOf('a')), await blobs.hold(idOf('b'))];
    await expect(blobs.hold(idOf('c'))).resolves.toBeTruthy();
    await expect(objects.disk.require(8 * 2 ** 20)).rejects.toMatchObject({ code: 'no_space' });
    await expect(blobs.hold(idOf('d'))).rejects.toMatchObject({ code: 'no_space' });
    first?.release();
    second?.release();
    await objects.disk.require(8 * 2 ** 20);
    expect(objects.cache.keys()).toEqual([`faces-${idOf('b')}`, `faces-${idOf('c')}`]);
    objects.close();
  });

  test('what came otherwise than it was sent is refused by the store', async () => {
    const bytes = Buffer.from('content');
    const put = bucketBy({}, { giveUpAfterMs: 0, firstPauseMs: 1, maxPauseMs: 1 }).put('faces/wrong', {
      ...{ kind: 'bytes', bytes, sizeBytes: bytes.length, sha256: '0'.repeat(64) },
      md5: '0'.repeat(32),
    });
    await expect(put).rejects.toMatchObject({ code: 'away' });
    expect(await bucketBy().head('faces/wrong')).toBeNull();
  });

  test('a file that cannot be read while it is sent fails that write alone', async () => {
    const put = bucketBy().put('faces/unread', {
      ...{ kind: 'file', path: join(dir, 'not-there'), sizeBytes: 7 },
      ...{ md5: '0'.repeat(32), sha256: '0'.repeat(64) },
    });
    await expect(put).rejects.toMatchObject({
      code: 'access',
      message: expect.stringContaining('not-there'),
    });
  });

  test('clients that read slowly leave connections to others', async () => {
    const blobs = await open();
    await blobs.write(idOf('a'), piecesOf(Buffer.alloc(1_500_000)));
    const slow = await Promise.all(Array.from({ length: 100 }, () => blobs.read(idOf('a'))));
    const beganMs = performance.now();
    expect(await blobs.sizeOf(idOf('a'))).toBe(1_500_000);
    expect(performance.now() - beganMs).toBeLessThan(15_000);
    for (const each of slow) each?.stream.destroy();
  });

  test('a list has more than one page', async () => {
    const blobs = await open();
    const ids = Array.from({ length: 1050 }, (_, at) => `blob-${String(at).padStart(8, '0')}`);
    for (let at = 0; at < ids.length; at += 50) {
      await Promise.all(ids.slice(at, at + 50).map((id) => blobs.write(id, piecesOf('x'))));
    }
    expect(await idsIn(blobs)).toEqual(ids);
  });

  test('other stores in the bucket are not seen', async () => {
    const bucket = bucketBy();
    const cache = await openFileCache(join(dir, randomUUID()), 1000);
    await createObjectBlobs(bucket, cache, 'datasets').write(idOf('a'), piecesOf('x'));
    expect(await idsIn(await open(bucket))).toEqual([]);
    expect(await (await open(bucket)).read(idOf('a'))).toBeNull();
  });

  test('wrong credentials and a missing bucket are said, and the secret is not', async () => {
    const wrong = bucketBy({ secretAccessKey: 'never-to-be-shown' }).head('faces/a');
    await expect(wrong).rejects.toMatchObject({
      code: 'away',
      message: expect.not.stringContaining('never'),
    });
    const unknown = bucketBy({ accessKeyId: 'NOBODY', secretAccessKey: 'never-to-be-shown' });
    await expect(unknown.get('faces/a')).rejects.toMatchObject({
      code: 'away',
      message: expect.stringMatching(/^(?!.*never-to-be).*AWS_ACCESS_KEY_ID/),
    });
    const missing = bucketBy({ bucket: 'no-such-bucket' });
    await expect(missing.head('faces/a')).rejects.toMatchObject({ code: 'away' });
    await expect(missing.get('faces/a')).rejects.toMatchObject({ code: 'away' });
    await expect(missing.list('')[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: 'away',
      message: expect.stringContaining('no such bucket'),
    });
  });

  test('while the store is away it is tried again, then given up, and afterwards all is as before', async () => {
    const blobs = await open();
    await blobs.write(idOf('a'), piecesOf('before'));
    await server.kill();
    const impatient = bucketBy({}, { giveUpAfterMs: 200, firstPauseMs: 20, maxPauseMs: 50 });
    const store = await open(impatient);
    await expect(store.read(idOf('a'))).rejects.toMatchObject({ code: 'away' });
    await expect(store.write(idOf('b'), piecesOf('x'))).rejects.toMatchObject({ code: 'away' });
    expect(impatient.state()).toMatch(/does not answer/);
    const [written, read] = [blobs.write(idOf('c'), piecesOf('meanwhile')), bytesOf(blobs, idOf('a'))];
    await sleep(500);
    await server.start();
    expect(await written).toBe(9);
    expect((await read)?.toString()).toBe('before');
    expect((await bytesOf(store, idOf('c')))?.toString()).toBe('meanwhile');
    expect(impatient.state()).toBe(true);
  });

  test('a download that the store breaks off resumes where it stopped', async () => {
    const blobs = await open();
    const bytes = Buffer.alloc(30_000_000, 'a long image');
    await blobs.write(idOf('a'), piecesOf(bytes));
    const found = await blobs.read(idOf('a'));
    const pieces: Buffer[] = [];
    let restarted: Promise<void> | undefined;
    for await (const piece of found?.stream ?? []) {
      pieces.push(piece);
      const restart = async () => {
        await server.kill();
        await server.start();
      };
      if (pieces.length === 1) restarted = restart();
    }
    await restarted;
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  });

  describe('its quarantine', () => {
    const dayMs = Date.parse('2026-05-06T07:08:09Z');
    const listed = async (bucket: Bucket) => {
      const items: QuarantinedItem[] = [];
      for await (const item of createObjectQuarantine(bucket).list()) items.push(item);
      return items;
    };

    test('takes items out of their store, shows them, and gives them back whole', async () => {
      const bucket = bucketBy();
      const blobs = await open(bucket);
      const quarantine = createObjectQuarantine(bucket);
      for (const letter of ['a', 'b']) await blobs.write(idOf(letter), piecesOf(letter));
      const items = [idOf('a'), idOf('b'), idOf('c')].map((id, at) => ({
        ...{ id, path: blobs.placeOf(id) },
        accountId: at === 0 ? 7 : null,
      }));
      expect(await quarantine.move('faces', items, dayMs)).toBe(2);
      expect(await idsIn(blobs)).toEqual([]);
      const found = await listed(bucket);
      expect(found).toMatchObject([
        { id: idOf('a'), store: 'faces', day: '2026-05-06', accountId: 7 },
        { id: idOf('b'), store: 'faces', day: '2026-05-06', accountId: null },
      ]);
      expect(await Promise.all(found.map((item) => quarantine.sizeOf(item)))).toEqual([1, 1]);
      expect(await quarantine.deleteOwned(7)).toBe(1);
      const left = (await listed(bucket)).map((item) => ({ item, path: blobs.placeOf(item.id) }));
      expect(await quarantine.restore(left)).toBe(1);
      expect((await bytesOf(blobs, idOf('b')))?.toString()).toBe('b');
      expect(await listed(bucket)).toEqual([]);
    });

    test('after a kill between copy and deletion an item has two places, and the next move ends it', async () => {
      const bucket = bucketBy();
      const blobs = await open(bucket);
      const quarantine = createObjectQuarantine(bucket);
      await blobs.write(idOf('a'), piecesOf('a'));
      const item = { id: idOf('a'), path: blobs.placeOf(idOf('a')), accountId: null };
      const killed: Bucket = { ...bucket, remove: () => Promise.reject(new Error('killed')) };
      await expect(createObjectQuarantine(killed).move('faces', [item], dayMs)).rejects.toThrow('killed');
      expect((await bytesOf(blobs, idOf('a')))?.toString()).toBe('a');
      expect(await quarantine.move('faces', [item], dayMs)).toBe(1);
      expect(await idsIn(blobs)).toEqual([]);
      expect(await listed(bucket)).toHaveLength(1);
    });

    test('another item of the same name stays where it is', async () => {
      const bucket = bucketBy();
      const blobs = await open(bucket);
      const quarantine = createObjectQuarantine(bucket);
      const item = { id: idOf('a'), path: blobs.placeOf(idOf('a')), accountId: null };
      await blobs.write(idOf('a'), piecesOf('one'));
      await quarantine.move('faces', [item], dayMs);
      await blobs.write(idOf('a'), piecesOf('two'));
      expect(await quarantine.move('faces', [item], dayMs)).toBe(0);
      const back = (await listed(bucket)).map((each) => ({ item: each, path: item.path }));
      expect(await quarantine.restore(back)).toBe(0);
      expect((await bytesOf(blobs, idOf('a')))?.toString()).toBe('two');
    });
  });
});
