import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dataFolder } from '../storage/data-folder.js';
import { createTestDatabase, type TestDatabase } from '../storage/fixtures/test-database.js';
import { openServiceStorage } from '../storage/open-storage.js';
import { createStorageComponent } from './storage-component.js';

let dir: string;
let testDatabase: TestDatabase;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'lynceus-storage-'));
  testDatabase = await createTestDatabase(dir);
});
afterEach(async () => {
  await testDatabase.drop();
  rmSync(dir, { recursive: true });
});

test('the pair of folder and database is looked at by a timer of its own, and what is found is reported once', async () => {
  const found: string[] = [];
  const storage = await openServiceStorage(dataFolder(dir), {
    ...testDatabase,
    onReplaced: (finding) => found.push(finding),
  });
  const errors: unknown[] = [];
  const component = createStorageComponent(storage, {
    logger: { error: (error: unknown) => errors.push(error) },
    intervalMs: 20,
  });
  await component.start();
  const { query, write } = storage.database;
  const generation = async () => (await query.selectFrom('data_folder').select('generation').execute())[0];
  const first = await generation();
  await expect.poll(generation).not.toEqual(first);
  expect(component.notices?.()).toEqual([]);
  // Not in the middle of a check.
  await expect
    .poll(async () => {
      await write([query.updateTable('data_folder').set({ generation: 1_000_000 })]);
      return found.length;
    })
    .toBe(1);
  expect(component.notices?.()).toEqual([expect.stringMatching(/restart the service/)]);
  await storage.pair.check();
  expect([found.length, errors]).toEqual([1, []]);
  await component.stop();
});
