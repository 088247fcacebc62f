import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dataFolder } from '../storage/data-folder.js';
import { createTestDatabase, type TestDatabase } from '../storage/fixtures/test-database.js';
import { openServiceStorage, type Storage } from '../storage/open-storage.js';
import { type Accounts, createAccounts } from './accounts.js';
import { byOperator } from './creator.js';
import { sweepRevokedKeys } from './sweep-keys.js';

const dayMs = 86_400_000;
let dir: string;
let storage: Storage;
let testDatabase: TestDatabase;
let accounts: Accounts;
let accountId: number;
let firstKeyId: number;
let nowMs: number;
beforeEach(async () => {
  nowMs = Date.UTC(2026, 0, 31, 12);
  dir = mkdtempSync(join(tmpdir(), 'lynceus-own-keys-'));
  testDatabase = await createTestDatabase(dir);
  storage = await openServiceStorage(dataFolder(dir), testDatabase);
  const { database } = storage;
  accounts = createAccounts({ database, clock: () => nowMs, trialCalls: 10, resultDays: 30 });
  const made = await accounts.createKey({ account: 'a', name: 'n', expiresAt: null });
  accountId = made.accountId;
  firstKeyId = made.keyId;
});
afterEach(async () => {
  await storage.close();
  await testDatabase.drop();
  rmSync(dir, { recursive: true });
});

const wanted = { name: 'n', expiresAt: null, callLimit: null };
const create = (change = {}) =>
  accounts.ownKeys.create(accountId, { ...wanted, creator: byOperator, ...change });
const revoke = (keyId: number) => accounts.ownKeys.revoke(accountId, keyId, { force: false });
const keyIds = async () => {
  const rows = await storage.database.query.selectFrom('api_key').select('id').orderBy('id').execute();
  return rows.map(({ id }) => id);
};

/** Rows as making and revoking leaves them. */
async function addRevokedKeys(count: number, createdAt: number, revokedAt = createdAt): Promise<void> {
  const { database } = storage;
  const rows = Array.from({ length: count }, (_, index) => ({
    account_id: accountId,
    hash: `${createdAt}-${index}`,
    prefix: 'lyn_old',
    name: 'old',
    created_at: createdAt,
    expires_at: null,
    revoked_at: revokedAt,
  }));
  await database.write([database.query.insertInto('api_key').values(rows)]);
}

describe('making and revoking in a loop', () => {
  test('ends after a thousand keys within a day, until the first of them is a day old', async () => {
    await addRevokedKeys(500, nowMs - 20 * 3_600_000);
    await addRevokedKeys(498, nowMs - 3_600_000);
    const { id } = await create();
    await revoke(id);
    const refusal = await create().catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'too_many_requests', retryAfterSeconds: 4 * 3600 });
    nowMs += 4 * 3_600_000 - 1;
    await expect(create()).rejects.toMatchObject({ code: 'too_many_requests', retryAfterSeconds: 1 });
    nowMs += 1;
    expect((await create()).callsUsed).toBe(0);
  });

  test('of requests that race for the last key of the day one gets it', async () => {
    await addRevokedKeys(998, nowMs - 1);
    const made = await Promise.allSettled(Array.from({ length: 8 }, () => create()));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('leaves nothing behind for longer than 30 days', async () => {
    await addRevokedKeys(1200, nowMs - 40 * dayMs, nowMs - 30 * dayMs);
    await addRevokedKeys(1, nowMs - 31 * dayMs, nowMs - 30 * dayMs + 1);
    expect(await sweepRevokedKeys(storage.database, nowMs)).toBe(1200);
    expect(await keyIds()).toHaveLength(2);
    expect(await sweepRevokedKeys(storage.database, nowMs)).toBe(0);
  });
});

test('a revoked key with usage or an analysis is kept, and one whose calls were all given back is deleted', async () => {
  const { query } = storage.database;
  const ids: number[] = [];
  for (const calls of [3, 0, null]) {
    const { id } = await create();
    ids.push(id);
    const rows = { account_id: accountId, key_id: id, operation: 'x' };
    if (calls !== null) {
      await storage.database.write([query.insertInto('usage').values({ ...rows, day: '2026-01-31', calls })]);
    } else {
      const kept = { fileid: 'f', created_at: nowMs, expires_at: nowMs + 90 * dayMs, record: '{}' };
      await storage.database.write([query.insertInto('analysis').values({ ...rows, ...kept })]);
    }
    await revoke(id);
  }
  nowMs += 30 * dayMs;
  const [used, free, analysed] = ids;
  expect(await sweepRevokedKeys(storage.database, nowMs)).toBe(1);
  expect(await keyIds()).toEqual([firstKeyId, used, analysed]);
  expect(free).toBeDefined();
  expect(await query.selectFrom('usage').select('calls').execute()).toEqual([{ calls: 3 }]);
  expect(await query.selectFrom('analysis').select('fileid').execute()).toEqual([{ fileid: 'f' }]);
});

test('a key with a limit of calls is no good key: the last one beside it stays, and it may itself be revoked', async () => {
  const limited = await create({ callLimit: 5 });
  await expect(revoke(firstKeyId)).rejects.toMatchObject({ code: 'conflict' });
  await revoke(limited.id);
  const { id } = await create();
  await revoke(firstKeyId);
  await expect(revoke(id)).rejects.toMatchObject({ code: 'conflict' });
});
