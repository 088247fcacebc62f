import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CreatedKey, createKey } from '../accounts/keys.js';
import { dataFolder } from '../storage/data-folder.js';
import { openServiceStorage, type Storage } from '../storage/open-storage.js';
import { createFileId, createRecorder, startAnalysisSweep, sweepExpiredAnalyses } from './record.js';

let dir: string;
let storage: Storage;
let made: CreatedKey;
const dayMs = 86_400_000;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-record-'));
  storage = await openServiceStorage(dataFolder(dir));
  made = await createKey(
    { database: storage.database, clock: () => 0, trialCalls: 1, resultDays: 2 },
    { account: 'a', name: 'a', expiresAt: null },
  );
});
afterAll(async () => {
  await storage.close();
  await rm(dir, { recursive: true });
});

async function record(resultDays: number, nowMs: number): Promise<void> {
  const caller = { accountId: made.accountId, keyId: made.keyId, resultDays, hasLimit: false };
  const reservation = { caller, operation: 'v2.predict', day: '2026-01-01', isCounted: false };
  const statements = createRecorder(storage.database)(reservation, {
    fileid: createFileId(),
    nowMs,
    record: {},
  });
  if (statements.length > 0) await storage.database.write(statements);
}
const kept = async () =>
  (await storage.database.query.selectFrom('analysis').select('fileid').execute()).length;

test('an analysis is kept for as long as its account keeps results, and not at all when that is no time', async () => {
  await record(0, 0);
  expect(await kept()).toBe(0);
  for (let count = 0; count < 600; count += 1) await record(1, 0);
  await record(2, 0);
  expect(await sweepExpiredAnalyses(storage.database, dayMs - 1)).toBe(0);
  expect(await sweepExpiredAnalyses(storage.database, dayMs)).toBe(600);
  expect(await kept()).toBe(1);
});

test('the periodic sweep goes on by itself and stops when told', async () => {
  let nowMs = dayMs;
  const { database } = storage;
  const stop = startAnalysisSweep({ database, clock: () => nowMs, intervalMs: 20, onError: () => undefined });
  nowMs = 3 * dayMs;
  await expect.poll(kept).toBe(0);
  await stop();
});
