import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../core/clock.js';
import { dataFolder } from '../storage/data-folder.js';
import { createTestDatabase, type TestDatabase } from '../storage/fixtures/test-database.js';
import { openCommandStorage, openServiceStorage, type Storage } from '../storage/open-storage.js';
import { type Accounts, createAccounts } from './accounts.js';
import { byOperator } from './creator.js';

describe('two programs on one database at the same moment', () => {
  let dir: string;
  let testDatabase: TestDatabase;
  let storages: readonly Storage[];
  let programs: readonly Accounts[];
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'lynceus-races-'));
    testDatabase = await createTestDatabase(dir);
    const folder = dataFolder(dir);
    storages = [
      await openServiceStorage(folder, testDatabase),
      await openCommandStorage(folder, testDatabase),
    ];
    programs = storages.map(({ database }) =>
      createAccounts({ database, clock: systemClock, trialCalls: 10, resultDays: 30 }),
    );
  });
  afterEach(async () => {
    for (const { close } of storages) await close();
    await testDatabase.drop();
    rmSync(dir, { recursive: true });
  });

  const newKey = (program: Accounts | undefined, account: string) => {
    if (!program) throw new Error('no such program');
    return program.createKey({ account, name: 'test', expiresAt: null });
  };
  /** Does the same in every program several times at once; answers how often it succeeded. */
  const race = async (times: number, operation: (program: Accounts, index: number) => Promise<unknown>) => {
    const racers = programs.flatMap((program) =>
      Array.from({ length: times }, (_, index) => operation(program, index)),
    );
    const outcomes = await Promise.allSettled(racers);
    return outcomes.filter(({ status }) => status === 'fulfilled').length;
  };
  const [rounds, perRound] = [5, 4];

  test('make one first account, which alone is without a limit', async () => {
    const made = programs.flatMap((program, who) =>
      Array.from({ length: 10 }, (_, index) => newKey(program, `${who}-${index}`)),
    );
    await Promise.all(made);
    const accounts = await programs[0]?.listAccounts();
    expect(accounts?.filter(({ plan }) => plan === 'paid')).toHaveLength(1);
    expect(accounts).toHaveLength(20);
  });

  test('leave an account its last good key', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const account = `account ${round}`;
      const keys = await Promise.all(Array.from({ length: perRound }, () => newKey(programs[0], account)));
      const revoked = await race(perRound, (program, index) => {
        const key = keys[index];
        if (!key) throw new Error('no such key');
        return program.ownKeys.revoke(key.accountId, key.keyId, { force: false });
      });
      // To revoke what is revoked succeeds as well.
      expect(revoked).toBe((perRound - 1) * programs.length);
      const left = (await programs[1]?.listKeys())?.filter((key) => key.account === account);
      expect(left?.filter(({ revokedAt }) => revokedAt === null)).toHaveLength(1);
    }
  });

  test('make no key beyond the hundredth', async () => {
    const { accountId } = await newKey(programs[0], 'many');
    const made = await race(60, (program) =>
      program.ownKeys.create(accountId, { name: 'more', expiresAt: null, creator: byOperator }),
    );
    expect(made).toBe(99);
  });
});
