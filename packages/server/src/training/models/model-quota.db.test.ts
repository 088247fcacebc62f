import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStoredModels, type StoredModels } from './fixtures/stored-models.js';
import { createModelQuota } from './model-quota.js';

let stored: StoredModels;
beforeEach(async () => {
  stored = await openStoredModels();
});
afterEach(() => stored.close());

test('the files of a version are looked at once, however often the account uploads', async () => {
  const account = await stored.makeAccount('one');
  const { id } = await stored.models.create(account, { name: 'a', description: '', task: 'classification' });
  for (let times = 0; times < 3; times += 1) await stored.addVersion(account, id);
  const asked: string[] = [];
  const quota = createModelQuota({
    database: stored.database,
    files: {
      bytes: async (uid) => {
        asked.push(uid);
        return 10;
      },
    },
    disk: { require: async () => undefined },
    limits: { accountMaxVersions: 0, accountMaxModelBytes: 50 },
  });
  for (let times = 0; times < 3; times += 1) await quota.openUpload(account, 0);
  expect(new Set(asked).size).toBe(3);
  expect(asked).toHaveLength(3);
  await expect(quota.openUpload(account, 10)).rejects.toMatchObject({ code: 'account_full' });
  // One that was added since counts too.
  await stored.addVersion(account, id);
  await quota.requireVersion(account);
  expect(asked).toHaveLength(4);
});
