import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DataFolder, dataFolder } from '../storage/data-folder.js';
import { createTestDatabase, type TestDatabase } from '../storage/fixtures/test-database.js';
import { openCommandStorage, openServiceStorage, type Storage } from '../storage/open-storage.js';
import { type Accounts, createAccounts } from './accounts.js';

let folder: DataFolder;
let storage: Storage;
let testDatabase: TestDatabase;
let accounts: Accounts;
const over = ({ database }: Storage) =>
  createAccounts({ database, clock: () => 1, trialCalls: 10, resultDays: 30 });
beforeEach(async () => {
  folder = dataFolder(mkdtempSync(join(tmpdir(), 'lynceus-operate-')));
  testDatabase = await createTestDatabase(folder.dir);
  storage = await openServiceStorage(folder, testDatabase);
  accounts = over(storage);
});
afterEach(async () => {
  await storage.close();
  await testDatabase.drop();
  rmSync(folder.dir, { recursive: true });
});

const listed = async (name: string) => (await accounts.listAccounts()).find((each) => each.name === name);

test('an account is made by the rules of the first key, or as it is wanted', async () => {
  await accounts.createAccount({ name: 'first' });
  await accounts.createAccount({ name: 'second' });
  await accounts.createAccount({ name: 'paid', plan: 'paid' });
  await accounts.createAccount({ name: 'given', plan: 'paid', callLimit: 5, resultDays: 0 });
  expect(await accounts.listAccounts()).toMatchObject([
    { name: 'first', plan: 'paid', callLimit: null, resultDays: 30, keys: 0 },
    { name: 'second', plan: 'trial', callLimit: 10 },
    { name: 'paid', plan: 'paid', callLimit: null },
    { name: 'given', plan: 'paid', callLimit: 5, resultDays: 0 },
  ]);
});

test('a name that exists is refused and its account is as it was', async () => {
  await accounts.createAccount({ name: 'a', callLimit: 3 });
  await expect(accounts.createAccount({ name: ' a ', callLimit: 4 })).rejects.toMatchObject({
    code: 'conflict',
  });
  expect(await listed('a')).toMatchObject({ callLimit: 3 });
});

test('a trial is made paid and back; another plan brings its limit, the same one changes nothing', async () => {
  await accounts.createAccount({ name: 'a', plan: 'trial', callLimit: 3 });
  await accounts.changeAccount('a', { plan: 'trial' });
  expect(await listed('a')).toMatchObject({ plan: 'trial', callLimit: 3 });
  await accounts.changeAccount('a', { plan: 'paid' });
  expect(await listed('a')).toMatchObject({ plan: 'paid', callLimit: null });
  await accounts.changeAccount('a', { plan: 'trial' });
  expect(await listed('a')).toMatchObject({ plan: 'trial', callLimit: 10 });
  await accounts.changeAccount('a', { plan: 'paid', callLimit: 7, resultDays: 2 });
  expect(await listed('a')).toMatchObject({ plan: 'paid', callLimit: 7, resultDays: 2 });
  await accounts.changeAccount('a', {});
  expect(await listed('a')).toMatchObject({ plan: 'paid', callLimit: 7, resultDays: 2 });
  await expect(accounts.changeAccount('b', {})).rejects.toThrow('There is no account "b"');
});

test('a running service obeys a command', async () => {
  const { key } = await accounts.createKey({ account: 'a', name: 'n', expiresAt: null });
  expect(await accounts.authenticate(key)).toMatchObject({ hasLimit: false, resultDays: 30 });
  const command = await openCommandStorage(folder, testDatabase);
  await over(command).changeAccount('a', { callLimit: 1, resultDays: 0 });
  await command.close();
  await expect
    .poll(() => accounts.authenticate(key), { interval: 20 })
    .toMatchObject({ hasLimit: true, resultDays: 0 });
});
