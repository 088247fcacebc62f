import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../core/clock.js';
import { ServiceError } from '../core/service-error.js';
import { createFileId, createRecorder } from '../recognition/record.js';
import { dataFolder } from '../storage/data-folder.js';
import { createTestDatabase, type TestDatabase } from '../storage/fixtures/test-database.js';
import { openServiceStorage, type Storage } from '../storage/open-storage.js';
import { type Accounts, type Caller, createAccounts } from './accounts.js';
import { readCallCounts } from './fixtures/read-call-counts.js';

/** A call of a service that may not know the limits, as in the second after they were set. */
interface CallStep {
  readonly kind: 'call';
  readonly replica: number;
  readonly key: number;
  readonly startMs: number;
  readonly knowsLimits: boolean;
  readonly keepsResults: boolean;
  readonly end: 'settle' | 'give-back' | 'never';
}
type Step =
  | CallStep
  | { readonly kind: 'revoke'; readonly key: number; readonly startMs: number }
  | { readonly kind: 'limit'; readonly startMs: number; readonly callLimit: number };

const limit = (max: number) => fc.option(fc.nat({ max }), { freq: 2 });
const startMs = fc.nat({ max: 12 });
const anyKey = fc.nat({ max: 2 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({
      kind: fc.constant('call' as const),
      replica: fc.nat({ max: 1 }),
      key: anyKey,
      startMs,
      knowsLimits: fc.boolean(),
      keepsResults: fc.boolean(),
      end: fc.constantFrom('settle', 'settle', 'settle', 'give-back', 'never'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('revoke' as const), key: anyKey, startMs }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('limit' as const), startMs, callLimit: fc.nat({ max: 30 }) }),
  },
);
const plan = fc.record({
  callLimit: limit(30),
  keyLimits: fc.tuple(limit(12), limit(12), limit(12)),
  steps: fc.array(step, { minLength: 1, maxLength: 80 }),
});

let dir: string;
let testDatabase: TestDatabase;
let storages: readonly Storage[];
let replicas: readonly Accounts[];
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'lynceus-random-calls-'));
  testDatabase = await createTestDatabase(dir);
  storages = [
    await openServiceStorage(dataFolder(join(dir, 'one')), testDatabase),
    await openServiceStorage(dataFolder(join(dir, 'two')), { ...testDatabase, joinInstallation: true }),
  ];
  replicas = storages.map(({ database }) =>
    createAccounts({ database, clock: systemClock, trialCalls: 10, resultDays: 30 }),
  );
});
afterAll(async () => {
  for (const { close } of storages) await close();
  await testDatabase.drop();
  rmSync(dir, { recursive: true });
});

test('whoever calls, revokes and limits at the same moment, rows, usage and counted calls agree and keep the limits', async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(plan, async ({ callLimit, keyLimits, steps }) => {
      runs += 1;
      const { account, callers } = await makeAccount(`account ${runs}`, callLimit, keyLimits);
      const done = { counted: [0, 0, 0], rows: 0 };
      const limits = [callLimit, ...steps.flatMap((each) => (each.kind === 'limit' ? [each.callLimit] : []))];
      const revoked = new Set<number>();
      const run = async (each: Step): Promise<void> => {
        await sleep(each.startMs);
        if (each.kind === 'revoke') {
          await first(replicas).revokeKey(String(at(callers, each.key).keyId));
          revoked.add(each.key);
        } else if (each.kind === 'limit') {
          await first(replicas).changeAccount(account, { callLimit: each.callLimit });
        } else {
          const wasRevoked = revoked.has(each.key);
          const { isCounted, hasRow } = await call(each, at(callers, each.key)).catch(toRefusal);
          expect(isCounted && wasRevoked).toBe(false);
          if (isCounted) done.counted[each.key] = at(done.counted, each.key) + 1;
          if (hasRow) done.rows += 1;
        }
      };
      await Promise.all(steps.map(run));

      const found = await readCounts(account);
      const total = done.counted.reduce((sum, calls) => sum + calls, 0);
      expect(found).toEqual({
        account,
        rows: done.rows,
        used: total,
        usage: total,
        usedByKeys: total,
        ofKeys: done.counted,
      });
      const highest = limits.includes(null) ? Number.POSITIVE_INFINITY : Math.max(...limits.map(Number));
      expect(found.used).toBeLessThanOrEqual(highest);
      for (const [key, keyLimit] of keyLimits.entries()) {
        expect(found.ofKeys[key]).toBeLessThanOrEqual(keyLimit ?? Number.POSITIVE_INFINITY);
      }
    }),
    { numRuns: 60 },
  );
});

test('what gathers is granted as it would be one after the other', async () => {
  let runs = 0;
  const gathered = fc.record({
    callLimit: limit(20),
    keyLimits: fc.tuple(limit(8), limit(8), limit(8)),
    keys: fc.array(anyKey, { minLength: 1, maxLength: 40 }),
  });
  await fc.assert(
    fc.asyncProperty(gathered, async ({ callLimit, keyLimits, keys }) => {
      runs += 1;
      const { callers } = await makeAccount(`gathered ${runs}`, callLimit, keyLimits);
      const outcomes = await Promise.allSettled(
        keys.map((key) => first(replicas).reserveCall({ ...at(callers, key), hasLimit: true }, 'x')),
      );
      const used = [0, 0, 0];
      const expected = keys.map((key) => {
        const hasRoom =
          used.reduce((sum, calls) => sum + calls) < (callLimit ?? Number.POSITIVE_INFINITY) &&
          at(used, key) < (at(keyLimits, key) ?? Number.POSITIVE_INFINITY);
        if (hasRoom) used[key] = at(used, key) + 1;
        return hasRoom ? 'fulfilled' : 'rejected';
      });
      expect(outcomes.map(({ status }) => status)).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});

async function makeAccount(
  account: string,
  callLimit: number | null,
  keyLimits: readonly (number | null)[],
): Promise<{ readonly account: string; readonly callers: readonly Caller[] }> {
  const accounts = first(replicas);
  await accounts.createAccount({ name: account, plan: 'paid', callLimit });
  const callers: Caller[] = [];
  for (const keyLimit of keyLimits) {
    const { key } = await accounts.createKey({ account, name: 'test', expiresAt: null, callLimit: keyLimit });
    const caller = await accounts.authenticate(key);
    if (!caller) throw new Error('the key was not accepted');
    callers.push(caller);
  }
  return { account, callers };
}

async function call(
  { replica, knowsLimits, keepsResults, end }: CallStep,
  { hasLimit, resultDays, ...caller }: Caller,
): Promise<{ readonly isCounted: boolean; readonly hasRow: boolean }> {
  const accounts = at(replicas, replica);
  const reservation = await accounts.reserveCall(
    { ...caller, hasLimit: hasLimit && knowsLimits, resultDays: keepsResults ? resultDays : 0 },
    `operation ${replica}`,
  );
  if (end === 'never') return { isCounted: reservation.isCounted, hasRow: false };
  if (end === 'give-back') {
    await accounts.giveBack(reservation);
    return { isCounted: false, hasRow: false };
  }
  const analysis = { fileid: createFileId(caller.accountId), nowMs: 1, record: {}, summary: '', image: null };
  await accounts.settle(reservation, createRecorder(at(storages, replica).database)(reservation, analysis));
  return { isCounted: true, hasRow: keepsResults };
}

function toRefusal(error: unknown) {
  if (!(error instanceof ServiceError)) throw error;
  expect(['invalid_api_key', 'trial_limit', 'key_limit']).toContain(error.code);
  return { isCounted: false, hasRow: false };
}

async function readCounts(account: string) {
  const { database } = first(storages);
  const counts = (await readCallCounts(database)).find((each) => each.account === account);
  const keys = await database.query
    .selectFrom('api_key')
    .select('calls_used')
    .where('account_id', '=', (from) => from.selectFrom('account').select('id').where('name', '=', account))
    .orderBy('id')
    .execute();
  return { ...counts, ofKeys: keys.map(({ calls_used }) => calls_used) };
}

function at<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new Error(`there is no item ${index}`);
  return item;
}

const first = <T>(items: readonly T[]) => at(items, 0);
