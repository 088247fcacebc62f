import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type DataFolder, dataFolder } from '../storage/data-folder.js';
import { createTestDatabase, type TestDatabase } from '../storage/fixtures/test-database.js';
import { openCommandStorage, openServiceStorage, type Storage } from '../storage/open-storage.js';
import { type Accounts, type Caller, createAccounts } from './accounts.js';
import { ensureFirstKey, keptFirstKeyPath, readFirstKeyAway } from './first-key.js';

describe('accounts', () => {
  let folder: DataFolder;
  let testDatabase: TestDatabase;
  let storage: Storage;
  let accounts: Accounts;
  let nowMs = Date.UTC(2026, 0, 31, 12);
  const over = (used: Storage) =>
    createAccounts({ database: used.database, clock: () => nowMs, trialCalls: 10, resultDays: 30 });

  beforeEach(async () => {
    folder = dataFolder(mkdtempSync(join(tmpdir(), 'lynceus-accounts-')));
    testDatabase = await createTestDatabase(folder.dir);
    storage = await openServiceStorage(folder, testDatabase);
    accounts = over(storage);
    nowMs = Date.UTC(2026, 0, 31, 12);
  });
  afterEach(async () => {
    await storage.close();
    await testDatabase.drop();
    rmSync(folder.dir, { recursive: true });
  });

  const makeCaller = async (account: string): Promise<Caller> => {
    const { key } = await accounts.createKey({ account, name: 'test', expiresAt: null });
    const caller = await accounts.authenticate(key);
    if (!caller) throw new Error('the key was not accepted');
    return caller;
  };
  const makeTrial = async (): Promise<Caller> => {
    await makeCaller('first');
    return makeCaller('trial');
  };
  const callsOf = async (name: string) =>
    (await accounts.listAccounts()).find((account) => account.name === name)?.callsUsed;
  const usage = () =>
    storage.database.query
      .selectFrom('usage')
      .select(['operation', 'day', 'calls'])
      .orderBy('operation')
      .execute();

  test('a key is accepted, and no other', async () => {
    const { key, keyId, accountId } = await accounts.createKey({ account: 'a', name: 'n', expiresAt: null });
    expect(key).toMatch(/^lyn_[A-Za-z0-9_-]{43}$/);
    expect(await accounts.authenticate(key)).toEqual({
      keyId,
      accountId,
      resultDays: 30,
      hasLimit: false,
      managesKeys: true,
      hasExactRateLimits: false,
    });
    for (const wrong of [
      '',
      key.slice(0, -1),
      `${key}x`,
      key.toLowerCase(),
      'k'.repeat(100_000),
      'é\0\ud800',
    ]) {
      expect(await accounts.authenticate(wrong)).toBeNull();
    }
  });

  test('the key itself is nowhere on disk', async () => {
    const { key } = await accounts.createKey({ account: 'a', name: 'n', expiresAt: null });
    const log = `${folder.databasePath}-wal`;
    for (const path of [folder.databasePath, log]) {
      if (existsSync(path)) expect(readFileSync(path).includes(key.slice(12))).toBe(false);
    }
  });

  test('an expired key is refused from the moment it names', async () => {
    const { key } = await accounts.createKey({ account: 'a', name: 'n', expiresAt: nowMs + 1000 });
    nowMs += 999;
    expect(await accounts.authenticate(key)).not.toBeNull();
    nowMs += 1;
    expect(await accounts.authenticate(key)).toBeNull();
  });

  test('a key revoked by a command is refused by the running service at once, even for a call under way', async () => {
    for (const plan of ['paid', 'trial'] as const) {
      const { key, prefix } = await accounts.createKey({ account: plan, name: 'n', expiresAt: null });
      const caller = await accounts.authenticate(key);
      if (!caller) throw new Error('the key is good');
      const underWay = await accounts.reserveCall(caller, 'x');
      const command = await openCommandStorage(folder, testDatabase);
      expect((await over(command).revokeKey(prefix)).revokedAt).toBe(nowMs);
      await command.close();
      // By what the service remembers of the key, as within the second after the command.
      const again = async () => accounts.settle(await accounts.reserveCall(caller, 'x'), []);
      await expect(again()).rejects.toMatchObject({ code: 'invalid_api_key' });
      const settled = accounts.settle(underWay, []);
      // Where calls can run out, this one was counted while the key was good.
      if (plan === 'paid') await expect(settled).rejects.toMatchObject({ code: 'invalid_api_key' });
      await expect.poll(() => accounts.authenticate(key)).toBeNull();
    }
    expect((await accounts.listAccounts()).map(({ callsUsed }) => callsUsed)).toEqual([0, 1]);
  });

  test('a prefix that several keys share revokes none of them', async () => {
    for (const name of ['one', 'two']) await accounts.createKey({ account: 'a', name, expiresAt: null });
    await expect(accounts.revokeKey('lyn_')).rejects.toThrow(/Several.*1, 2/);
    await expect(accounts.revokeKey('lyn_nobody')).rejects.toThrow(/No key/);
    await accounts.revokeKey('2');
    expect((await accounts.listKeys()).map((key) => key.revokedAt)).toEqual([null, nowMs]);
  });

  test('the first account is paid and unlimited, later ones are trials', async () => {
    await makeCaller('one');
    await makeCaller('two');
    await makeCaller('one');
    expect(await accounts.listAccounts()).toMatchObject([
      { name: 'one', plan: 'paid', callLimit: null, keys: 2 },
      { name: 'two', plan: 'trial', callLimit: 10, keys: 1 },
    ]);
  });

  test('two first accounts made at the same moment are not both unlimited', async () => {
    await Promise.all(['one', 'two', 'three'].map((name) => makeCaller(name)));
    const plans = (await accounts.listAccounts()).map((account) => account.plan).sort();
    expect(plans).toEqual(['paid', 'trial', 'trial']);
  });

  test.each(['', '   ', 'x'.repeat(101), 'a\u0000b', 'a\nb', 'a\ud800'])(
    'the account name %j is refused',
    async (account) => {
      await expect(accounts.createKey({ account, name: 'n', expiresAt: null })).rejects.toThrow(/1 to 100/);
    },
  );

  test('of 64 who race for the last ten calls exactly ten win, and usage agrees', async () => {
    const caller = await makeTrial();
    const command = await openCommandStorage(folder, testDatabase);
    const racers = Array.from({ length: 64 }, (_, i) =>
      // Some race from another process's connection.
      (i % 8 === 0 ? over(command) : accounts).reserveCall(caller, 'v2.predict'),
    );
    const outcomes = await Promise.allSettled(racers);
    await command.close();
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(10);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'trial_limit' });
    }
    expect(await callsOf('trial')).toBe(10);
    expect(await usage()).toEqual([{ operation: 'v2.predict', day: '2026-01-31', calls: 10 }]);
  });

  test('a key with calls of its own is counted at once, also where its account has no limit', async () => {
    const { key } = await accounts.createKey({ account: 'a', name: 'n', expiresAt: null, callLimit: 2 });
    const caller = await accounts.authenticate(key);
    if (!caller) throw new Error('the key is good');
    const racers = Array.from({ length: 8 }, () => accounts.reserveCall(caller, 'x'));
    const outcomes = await Promise.allSettled(racers);
    const won = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(won).toHaveLength(2);
    // What was never settled, as after a crash, stays counted: a call is never made for nothing.
    expect(await callsOf('a')).toBe(2);
    for (const reservation of won) await accounts.giveBack(reservation);
    expect([await callsOf('a'), (await accounts.listKeys())[0]?.callsUsed]).toEqual([0, 0]);
    expect(await usage()).toEqual([{ operation: 'x', day: '2026-01-31', calls: 0 }]);
  });

  test('a limit set by a command while a call is under way holds when that call is settled', async () => {
    const caller = await makeCaller('a');
    const underWay = [await accounts.reserveCall(caller, 'x'), await accounts.reserveCall(caller, 'x')];
    const command = await openCommandStorage(folder, testDatabase);
    await over(command).changeAccount('a', { callLimit: 1 });
    await command.close();
    const ends = await Promise.allSettled(underWay.map((each) => accounts.settle(each, [])));
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await callsOf('a')).toBe(1);
  });

  test('usage is reported by operation and UTC day', async () => {
    const caller = await makeTrial();
    await accounts.reserveCall(caller, 'x');
    await accounts.reserveCall(caller, 'y');
    nowMs += 12 * 3_600_000;
    await accounts.reserveCall(caller, 'y');
    expect(await usage()).toEqual([
      { operation: 'x', day: '2026-01-31', calls: 1 },
      { operation: 'y', day: '2026-01-31', calls: 1 },
      { operation: 'y', day: '2026-02-01', calls: 1 },
    ]);
  });

  test('a call given back is free for another, and is given back once only', async () => {
    const caller = await makeTrial();
    const reservations = [];
    for (let call = 0; call < 10; call += 1) reservations.push(await accounts.reserveCall(caller, 'x'));
    await expect(accounts.reserveCall(caller, 'x')).rejects.toMatchObject({ code: 'trial_limit' });
    const [first] = reservations;
    if (!first) throw new Error('no reservation');
    await accounts.giveBack(first);
    await accounts.giveBack(first);
    expect(await callsOf('trial')).toBe(9);
    await accounts.reserveCall(caller, 'x');
    await expect(accounts.reserveCall(caller, 'x')).rejects.toMatchObject({ code: 'trial_limit' });
  });

  test('a call that was ended is given back, and stands in the usage as failed with what it took', async () => {
    const [trial, paid] = [await makeTrial(), await makeCaller('a')];
    for (const caller of [trial, paid]) {
      for (const cpuMs of [1234.4, 1000]) {
        await accounts.giveBack(await accounts.reserveCall(caller, 'x'), { cpuMs });
      }
      const days = { from: '2026-01-01', to: '2026-12-31' };
      const { items, total } = await accounts.readUsage(caller.accountId, days, {
        limit: 10,
        after: undefined,
      });
      expect(items).toMatchObject([{ operation: 'x', calls: 0, failed: 2, failedCpuMs: 2234 }]);
      expect(total).toBe(0);
    }
    expect([await callsOf('trial'), await callsOf('a')]).toEqual([0, 0]);
  });

  test('a call of an account without a limit counts once it is settled, and not before', async () => {
    const caller = await makeCaller('a');
    const reservation = await accounts.reserveCall(caller, 'x');
    await accounts.giveBack(await accounts.reserveCall(caller, 'x'));
    expect([await callsOf('a'), await usage()]).toEqual([0, []]);
    await accounts.settle(reservation, []);
    expect(await callsOf('a')).toBe(1);
    expect(await usage()).toEqual([{ operation: 'x', day: '2026-01-31', calls: 1 }]);
  });

  test('settling writes its statements together or not at all', async () => {
    const caller = await makeCaller('a');
    const reservation = await accounts.reserveCall(caller, 'x');
    const { query } = storage.database;
    const analysis = (fileid: string) =>
      query.insertInto('analysis').values({
        fileid,
        account_id: caller.accountId,
        key_id: caller.keyId,
        operation: 'x',
        created_at: 1,
        expires_at: 2,
        record: '{}',
      });
    await accounts.settle(reservation, []);
    await accounts.settle(reservation, [analysis('f1')]);
    await expect(accounts.settle(reservation, [analysis('f2'), analysis('f1')])).rejects.toThrow();
    expect(await query.selectFrom('analysis').select('fileid').execute()).toEqual([{ fileid: 'f1' }]);
  });

  test('the first start makes a key and keeps it, for its owner alone, until it is read away', async () => {
    const key = await ensureFirstKey(accounts, folder, '');
    expect(await accounts.authenticate(String(key))).not.toBeNull();
    expect(statSync(folder.firstKeyPath).mode & 0o777).toBe(0o600);
    expect(await ensureFirstKey(accounts, folder, '')).toBeNull();
    expect(keptFirstKeyPath(folder)).toBe(folder.firstKeyPath);
    expect(readFirstKeyAway(folder)).toBe(key);
    expect(readFirstKeyAway(folder)).toBeNull();
    expect(keptFirstKeyPath(folder)).toBeNull();
    expect(await accounts.listAccounts()).toMatchObject([{ name: 'default', plan: 'paid' }]);
  });

  test('the first key may be chosen by the operator', async () => {
    expect(await ensureFirstKey(accounts, folder, 'chosen-key-of-mine')).toBe('chosen-key-of-mine');
    expect(await accounts.authenticate('chosen-key-of-mine')).not.toBeNull();
    const [listed] = await accounts.listKeys();
    expect('chosen-key-of-mine'.length - String(listed?.prefix).length).toBeGreaterThanOrEqual(12);
  });
});
