import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BlobStore } from '../../storage/blobs/blob-store.js';
import { idsIn } from '../../storage/blobs/fixtures/blob-contract.js';
import type { ObjectServer } from '../../storage/blobs/fixtures/object-server.js';
import { startRadosgw } from '../../storage/blobs/fixtures/radosgw.js';
import { haveStore } from '../../storage/blobs/fixtures/store-programs.js';
import { createDiskGuard } from '../../storage/disk-guard.js';
import type { Bucket } from '../../storage/objects/bucket.js';
import { bodyOf } from '../../storage/objects/digests.js';
import { openFileCache } from '../../storage/objects/file-cache.js';
import { openFolderCache } from '../../storage/objects/folder-cache.js';
import { compareBlobs, copyBlobs } from '../../storage/objects/move-blobs.js';
import { createObjectBlobs } from '../../storage/objects/object-blobs.js';
import { createObjectFolders, type ObjectFolders } from '../../storage/objects/object-folders.js';
import { openBucket } from '../../storage/objects/open-bucket.js';
import { createObjectQuarantine } from '../../storage/quarantine/object-quarantine.js';
import { createSweepGuard } from '../../storage/quarantine/sweep-guard.js';
import { sweepStore } from '../../storage/quarantine/sweep-store.js';
import { newVersion, openStoredModels, type StoredModels } from './fixtures/stored-models.js';
import { createVersionTars } from './version-tars.js';

const hourMs = 3_600_000;

describe.skipIf(!haveStore('ceph'))('versions in a bucket of radosgw', { timeout: 300_000 }, () => {
  let server: ObjectServer;
  let dir: string;
  let bucket: Bucket;
  let stored: StoredModels;
  let one: ObjectFolders;
  let other: ObjectFolders;
  let accountId: number;
  let modelId: number;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lynceus-versions-'));
    server = await startRadosgw();
  }, 300_000);
  afterAll(async () => {
    await server?.stop();
    await rm(dir, { recursive: true, force: true });
  });
  beforeEach(async () => {
    const { endpoint, region, accessKeyId, secretAccessKey } = server;
    bucket = openBucket({
      ...{ endpoint, region, isPathStyle: true, encryption: '', encryptionKeyId: '' },
      address: { bucket: server.bucket, prefix: `${randomUUID()}/` },
      credentials: { accessKeyId, secretAccessKey },
      retries: { giveUpAfterMs: 2000, firstPauseMs: 50, maxPauseMs: 500 },
    });
    [one, other] = [await openReplica(), await openReplica()];
    stored = await openStoredModels({}, { models: one });
    accountId = await stored.makeAccount('first');
    modelId = (
      await stored.models.create(accountId, { name: 'mine', description: '', task: 'classification' })
    ).id;
    return () => stored.close();
  });

  const openBlobs = async (): Promise<BlobStore> =>
    createObjectBlobs(bucket, await openFileCache(join(dir, randomUUID()), 1), 'models', {
      keepsWritten: false,
    });
  const openReplica = async (maxBytes = 50_000_000) =>
    createObjectFolders({
      bucket,
      blobs: await openBlobs(),
      cache: await openFolderCache(join(dir, randomUUID()), maxBytes),
      disk: createDiskGuard({ dir, reserveBytes: 0 }),
    });
  /** With five megabytes beside its graph, which differ from version to version. */
  const addVersion = async () => {
    const made = await newVersion(stored.versions);
    await mkdir(join(made.draft, 'source'));
    const source = Buffer.alloc(5_000_000, randomUUID());
    await writeFile(join(made.draft, 'source', '0'), source);
    return { source, ...(await stored.versions.add(accountId, modelId, made)) };
  };
  const readSource = async (replica: ObjectFolders, uid: string) => {
    const held = await replica.hold(uid);
    return held && readFile(join(held.path, 'source', '0')).finally(held.release);
  };

  test('a version is one object, on another replica too, and no draft or temporary file is left', async () => {
    const { uid, source, bytes } = await addVersion();
    expect(bytes).toBe('a graph'.length);
    expect(await idsIn(other)).toEqual([uid]);
    expect([await stored.folders(), await stored.drafts()]).toEqual([[], []]);
    expect((await readSource(other, uid))?.equals(source)).toBe(true);
    expect((await readSource(one, uid))?.equals(source)).toBe(true);
    expect(await readFile(join(other.folder(uid), 'manifest.json'), 'utf8')).toContain(uid);
    expect(await stored.files.bytes(uid)).toBeGreaterThan(5_000_000);
    // Files of tar files: none of them is needed once it is sent.
    const left = await readdir(dir, { recursive: true, withFileTypes: true });
    expect(
      left.filter((entry) => entry.isFile() && entry.name !== '0' && !/json|onnx/.test(entry.name)),
    ).toEqual([]);
  });

  test('a version that was deleted is gone from the bucket and from the replica, and others forget it', async () => {
    const [first, second] = [await addVersion(), await addVersion()];
    (await other.hold(first.uid))?.release();
    await stored.versions.remove(accountId, modelId, first.number);
    expect([await idsIn(one), existsSync(one.folder(first.uid))]).toEqual([[second.uid], false]);
    expect(other.kept()).toEqual([first.uid]);
    await other.forget(first.uid);
    expect([existsSync(other.folder(first.uid)), await other.hold(first.uid)]).toEqual([false, null]);
    await stored.deletion.removeModel(accountId, modelId);
    expect([await idsIn(one), one.kept()]).toEqual([[], []]);
  });

  test('what no row names goes to the quarantine of the bucket, and back when a row names it', async () => {
    const { uid, source } = await addVersion();
    const quarantine = createObjectQuarantine(bucket);
    const guard = createSweepGuard(() => {
      throw new Error('nothing waits');
    });
    const kept = { ...guard, clear: async () => undefined };
    const sweep = (named: ReadonlySet<string>) =>
      sweepStore(
        { ...stored.sweptVersions, findNamed: async () => named },
        { quarantine, guard: kept, quarantineDays: 30, nowMs: Date.now() + 2 * hourMs },
      );
    expect(await sweep(new Set())).toMatchObject({ quarantined: 1, blocked: null });
    expect([await idsIn(one), await other.hold(uid)]).toEqual([[], null]);
    expect(await sweep(new Set([uid]))).toMatchObject({ returned: 1 });
    expect((await readSource(other, uid))?.equals(source)).toBe(true);
  });

  test('an object that was changed, or is no tar file of a version, is refused and leaves nothing', async () => {
    const { uid } = await addVersion();
    const key = one.placeOf(uid);
    const { stream } = (await bucket.get(key)) ?? {};
    const tar = Buffer.concat((await stream?.toArray()) ?? []);
    tar[tar.indexOf('a graph')] = 'A'.charCodeAt(0);
    const changed = bodyOf(tar.toString('latin1'));
    await bucket.put(key, { ...changed, sha256: (await bucket.head(key))?.sha256 ?? '' });
    await expect(other.hold(uid)).rejects.toMatchObject({ code: 'damaged', message: /SHA-256/ });
    await bucket.put(key, bodyOf('no tar file'));
    await expect(other.hold(uid)).rejects.toMatchObject({ code: 'damaged', message: /bring back/ });
    expect([other.kept(), existsSync(other.folder(uid))]).toEqual([[], false]);
  });

  test('while the store is away what is here is used, and what is not fails as such; later it is brought', async () => {
    const [here, elsewhere] = [await addVersion(), await addVersion()];
    (await other.hold(here.uid))?.release();
    await server.kill();
    expect((await readSource(other, here.uid))?.equals(here.source)).toBe(true);
    await expect(other.hold(elsewhere.uid)).rejects.toMatchObject({ code: 'away' });
    await expect(stored.addVersion(accountId, modelId)).rejects.toMatchObject({ code: 'away' });
    await server.start();
    expect((await readSource(other, elsewhere.uid))?.equals(elsewhere.source)).toBe(true);
    const { items } = await stored.versions.list(accountId, modelId, { limit: 9, after: undefined });
    expect([items.length, await stored.drafts()]).toEqual([2, []]);
  });

  test('versions are copied to folders and back byte for byte, and what was cut short is copied whole', async () => {
    const { uid, source } = await addVersion();
    const inFolders = createVersionTars(join(dir, randomUUID()));
    const [inBucket, signal] = [await openBlobs(), new AbortController().signal];
    expect(await copyBlobs(inBucket, inFolders, { signal })).toMatchObject({ blobs: 1, written: 1 });
    expect(await copyBlobs(inBucket, inFolders, { signal })).toMatchObject({ blobs: 1, written: 0 });
    const compare = () => compareBlobs(inFolders, inBucket, { signal, isContentRead: true });
    expect(await compare()).toEqual({ blobs: 1, missing: [], different: [] });
    await bucket.put(one.placeOf(uid), bodyOf('cut short'));
    expect(await compare()).toMatchObject({ different: [uid] });
    expect(await copyBlobs(inFolders, inBucket, { signal })).toMatchObject({ written: 1 });
    expect(await compare()).toMatchObject({ different: [] });
    expect((await readSource(other, uid))?.equals(source)).toBe(true);
  });
});
