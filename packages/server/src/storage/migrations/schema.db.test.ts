import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { dataFolder } from '../data-folder.js';
import { readAllRows } from '../fixtures/all-rows.js';
import { describeSchema } from '../fixtures/describe-schema.js';
import { createEmptyDatabase } from '../fixtures/test-database.js';
import { openCommandStorage } from '../open-storage.js';

test('the schema and the rows that migrations leave are those that are committed', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'lynceus-schema-'));
  const testDatabase = await createEmptyDatabase();
  try {
    const storage = await openCommandStorage(dataFolder(dir), testDatabase);
    const kind = testDatabase.databaseUrl === '' ? 'sqlite' : 'postgres';
    const schema = await describeSchema(storage.database.query, kind === 'sqlite');
    const text = `${schema}\nrows\n  ${await readAllRows(storage.database)}\n`;
    await storage.close();
    // `-u` after the name of this test writes it.
    const path = new URL(`../../../src/storage/migrations/schema.${kind}.txt`, import.meta.url);
    await expect(text).toMatchFileSnapshot(fileURLToPath(path));
  } finally {
    await testDatabase.drop();
    rmSync(dir, { recursive: true });
  }
});
