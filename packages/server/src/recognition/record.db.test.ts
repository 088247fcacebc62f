import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CreatedKey, createKey } from '../accounts/keys.js';
import type { BlobStore } from '../storage/blobs/blob-store.js';
import { openFolderBlobs } from '../storage/blobs/folder-blobs.js';
import { dataFolder } from '../storage/data-folder.js';
import { sweepOnce } from '../storage/fixtures/sweep-once.js';
import { createTestDatabase, type TestDatabase } from '../storage/fixtures/test-database.js';
import { openServiceStorage, type Storage } from '../storage/open-storage.js';
import { sweptAnalysisImages } from './kept-images.js';
import { createFileId, createRecorder, sweepExpiredAnalyses } from './record.js';

let dir: string;
let testDatabase: TestDatabase;
let storage: Storage;
let images: BlobStore;
let made: CreatedKey;
const dayMs = 86_400_000;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-record-'));
  testDatabase = await createTestDatabase(dir);
  storage = await openServiceStorage(dataFolder(dir), testDatabase);
  images = await openFolderBlobs(join(dir, 'images'));
  made = await createKey(
    { database: storage.database, clock: () => 0, trialCalls: 1, resultDays: 2 },
    { account: 'a', name: 'a', expiresAt: null },
  );
});
afterAll(async () => {
  await storage.close();
  await testDatabase.drop();
  await rm(dir, { recursive: true });
});

async function record(resultDays: number, nowMs: number, image?: string): Promise<string> {
  const caller = {
    accountId: made.accountId,
    keyId: made.keyId,
    resultDays,
    hasLimit: false,
    managesKeys: true,
    hasExactRateLimits: false,
  };
  const reservation = { caller, operation: 'v2.predict', day: '2026-01-01', isCounted: false };
  const fileid = createFileId(1);
  if (image !== undefined) await images.write(fileid, Readable.from([Buffer.from(image)]));
  const statements = createRecorder(storage.database)(reservation, {
    fileid,
    nowMs,
    record: {},
    summary: '',
    image: image === undefined ? null : { kind: 'jpeg', sizeBytes: image.length },
  });
  if (statements.length > 0) await storage.database.write(statements);
  return fileid;
}
const kept = async () =>
  (await storage.database.query.selectFrom('analysis').select('fileid').execute()).length;

test('an analysis is kept for as long as its account keeps results, and not at all when that is no time', async () => {
  await record(0, 0);
  expect(await kept()).toBe(0);
  for (let count = 0; count < 600; count += 1) await record(1, 0);
  await record(2, 0);
  expect(await sweepExpiredAnalyses(storage.database, images, dayMs - 1)).toBe(0);
  expect(await sweepExpiredAnalyses(storage.database, images, dayMs)).toBe(600);
  expect(await kept()).toBe(1);
});

test('a kept image goes with its analysis', async () => {
  const [short, long] = [await record(1, 0, 'short'), await record(3, 0, 'long')];
  await sweepExpiredAnalyses(storage.database, images, dayMs);
  expect(await images.read(short)).toBeNull();
  const found = await images.read(long);
  found?.stream.destroy();
  expect(found?.sizeBytes).toBe(4);
});

test('an image that no analysis names is quarantined, but not while its analysis may be on its way', async () => {
  const orphan = createFileId(1);
  await images.write(orphan, Readable.from([Buffer.from('orphan')]));
  const named = await record(30, Date.now(), 'named');
  const now = Date.now();
  const swept = sweptAnalysisImages(storage.database, images);
  expect(await sweepOnce(swept, dataFolder(dir), now)).toMatchObject({ quarantined: 0 });
  expect(await sweepOnce(swept, dataFolder(dir), now + 2 * 3_600_000)).toMatchObject({ quarantined: 1 });
  expect(await images.read(orphan)).toBeNull();
  const kept = await images.read(named);
  kept?.stream.destroy();
  expect(kept).not.toBeNull();
});
