import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../core/clock.js';
import { readPostgresUrl } from '../core/postgres-address.js';
import { createFileId, createRecorder } from '../recognition/record.js';
import { dataFolder } from '../storage/data-folder.js';
import { type CuttableProxy, startCuttableProxy } from '../storage/fixtures/cuttable-proxy.js';
import { createTestDatabase, type TestDatabase } from '../storage/fixtures/test-database.js';
import { openServiceStorage, type Storage } from '../storage/open-storage.js';
import { StorageError } from '../storage/storage-error.js';
import { type Accounts, type Caller, createAccounts, type Reservation } from './accounts.js';
import { readCallCounts } from './fixtures/read-call-counts.js';

const defaults = { clock: systemClock, trialCalls: 10, resultDays: 30 };

describe('calls that are written together', () => {
  let dir: string;
  let testDatabase: TestDatabase;
  let proxy: CuttableProxy;
  let storage: Storage;
  let accounts: Accounts;
  let commits: number[];
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'lynceus-merged-'));
    testDatabase = await createTestDatabase(dir);
    const address = readPostgresUrl(testDatabase.databaseUrl);
    if (typeof address === 'string') throw new Error(address);
    proxy = await startCuttableProxy(address.port);
    const url = new URL(testDatabase.databaseUrl);
    url.port = String(proxy.port);
    commits = [];
    storage = await openServiceStorage(dataFolder(dir), {
      databaseUrl: url.href,
      onCommit: (units) => commits.push(units),
    });
    accounts = createAccounts({ ...defaults, database: storage.database });
  });
  afterEach(async () => {
    await storage.close();
    await proxy.stop();
    await testDatabase.drop();
    rmSync(dir, { recursive: true });
  });

  const makeCaller = async (account: string, callLimit: number | null = null): Promise<Caller> => {
    const { key } = await accounts.createKey({ account, name: 'test', expiresAt: null, callLimit });
    const caller = await accounts.authenticate(key);
    if (!caller) throw new Error('the key was not accepted');
    return caller;
  };
  const analysis = (reservation: Reservation, fileid: string, summary = '') =>
    createRecorder(storage.database)(reservation, {
      fileid,
      nowMs: 1,
      record: { a: 'é"\\' },
      summary,
      image: null,
    });
  const settle = async (caller: Caller, fileid = createFileId(caller.accountId), summary = '') => {
    const reservation = await accounts.reserveCall(caller, 'x');
    await accounts.settle(reservation, analysis(reservation, fileid, summary));
    return fileid;
  };
  const counts = () => readCallCounts(storage.database);

  test('are one commit for all that has gathered, and each has its row', async () => {
    const caller = await makeCaller('a');
    commits.length = 0;
    const fileids = await Promise.all(Array.from({ length: 100 }, () => settle(caller)));
    expect(commits).toEqual([100]);
    const rows = await storage.database.query.selectFrom('analysis').selectAll().execute();
    expect(rows.map(({ fileid }) => fileid).sort()).toEqual([...fileids].sort());
    expect(rows[0]).toEqual({
      fileid: rows[0]?.fileid,
      account_id: caller.accountId,
      key_id: caller.keyId,
      operation: 'x',
      created_at: 1,
      expires_at: 1 + 30 * 86_400_000,
      record: '{"a":"é\\"\\\\"}',
      summary: '',
      search_text: '',
      image_bytes: null,
      image_kind: null,
    });
    expect(await counts()).toEqual([{ account: 'a', rows: 100, usage: 100, used: 100, usedByKeys: 100 }]);
  });

  test('are granted in their order, up to the limits of their keys and of the account', async () => {
    await makeCaller('first');
    const [one, two] = [await makeCaller('trial', 3), await makeCaller('trial')];
    const [other] = [await makeCaller('other', 1)];
    const callers = [one, two, one, two, other, one, one, two, two, other, two, two, two, two, two];
    commits.length = 0;
    const outcomes = await Promise.allSettled(callers.map((caller) => accounts.reserveCall(caller, 'x')));
    expect(commits).toEqual([callers.length]);
    const codeOf = (outcome: PromiseSettledResult<unknown>) =>
      outcome.status === 'fulfilled' ? 'granted' : outcome.reason.code;
    expect(outcomes.map(codeOf)).toEqual([
      ...['granted', 'granted', 'granted', 'granted', 'granted', 'granted'],
      // The fourth call of a key for three counts nothing in the account either; the tenth is its last.
      ...['trial_limit', 'granted', 'granted', 'key_limit', 'granted', 'granted', 'granted'],
      ...['trial_limit', 'trial_limit'],
    ]);
    expect(await counts()).toMatchObject([
      { account: 'first', used: 0 },
      { account: 'trial', used: 10, usage: 10, usedByKeys: 10 },
      { account: 'other', used: 1, usage: 1, usedByKeys: 1 },
    ]);
  });

  test('are refused for a key that was revoked and for an account that is closed, and others are not', async () => {
    const [good, revoked, closed] = [
      await makeCaller('a'),
      await makeCaller('a'),
      await makeCaller('closed'),
    ];
    await accounts.revokeKey(String(revoked.keyId));
    const { query, write } = storage.database;
    await write([query.updateTable('account').set({ closed_at: 1 }).where('id', '=', closed.accountId)]);
    const outcomes = await Promise.allSettled([good, revoked, closed, good].map((caller) => settle(caller)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'invalid_api_key' });
    }
    expect(await counts()).toMatchObject([
      { account: 'a', rows: 2, used: 2 },
      { account: 'closed', rows: 0, used: 0 },
    ]);
  });

  test('are written singly when one of them is refused by the database, which alone fails', async () => {
    const caller = await makeCaller('a');
    const fileid = await settle(caller);
    const outcomes = await Promise.allSettled([
      settle(caller),
      settle(caller, fileid),
      settle(caller, undefined, 'half \ud800'),
      settle(caller),
    ]);
    expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'done'))).toEqual(
      ['done', 'unique', 'value', 'done'],
    );
    expect(await counts()).toMatchObject([{ rows: 3, usage: 3, used: 3, usedByKeys: 3 }]);
  });

  test('are looked up when the answer to their commit is lost, and none is counted twice or reported as failed', async () => {
    const caller = await makeCaller('a');
    for (let round = 1; round <= 3; round += 1) {
      proxy.cutAfter('COMMIT\0');
      await Promise.all(Array.from({ length: 20 }, () => settle(caller)));
      expect(await counts()).toMatchObject([{ rows: 20 * round, usage: 20 * round, used: 20 * round }]);
    }
  });

  test('are written once when the connection is cut before their commit', async () => {
    const caller = await makeCaller('a');
    proxy.cutAfter('recorded as (');
    await Promise.all(Array.from({ length: 20 }, () => settle(caller)));
    expect(await counts()).toMatchObject([{ rows: 20, usage: 20, used: 20, usedByKeys: 20 }]);
  });

  test('stay counted where nobody knows whether their result is on disk', async () => {
    await makeCaller('first');
    const caller = await makeCaller('trial');
    const { database } = storage;
    let isCut = false;
    const overCut = createAccounts({
      ...defaults,
      database: {
        ...database,
        async write(...asked) {
          const results = await database.write(...asked);
          if (isCut) throw new StorageError('lost', 'cut');
          return results;
        },
      },
    });
    const reservation = await overCut.reserveCall(caller, 'x');
    isCut = true;
    const settling = overCut.settle(reservation, analysis(reservation, createFileId(caller.accountId)));
    await expect(settling).rejects.toMatchObject({ code: 'lost' });
    isCut = false;
    await overCut.giveBack(reservation);
    expect((await counts())[1]).toMatchObject({ rows: 1, used: 1, usage: 1, usedByKeys: 1 });
  });
});
