import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { dataFolder } from '../data-folder.js';
import { createTestDatabase } from '../fixtures/test-database.js';
import { openCommandStorage, openServiceStorage } from '../open-storage.js';
import type { Schema } from '../schema.js';

test('a database with the first migrations is refused by services and commands, with the commit that opens it', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'lynceus-before-'));
  const testDatabase = await createTestDatabase(dir);
  try {
    const folder = dataFolder(dir);
    const { database, close } = await openServiceStorage(folder, testDatabase);
    await database.write([raw(database.query, "update kysely_migration set name = '0001-accounts'")]);
    await close();
    const refusal =
      /commit [0-9a-f]{8} of Lynceus is the last that opens it.*faces export.*Nothing was changed/;
    await expect(openServiceStorage(folder, testDatabase)).rejects.toThrow(refusal);
    await expect(openCommandStorage(folder, testDatabase)).rejects.toThrow(refusal);
    await expect(openCommandStorage(folder, { ...testDatabase, usesFiles: true })).rejects.toThrow(refusal);
  } finally {
    await testDatabase.drop();
    rmSync(dir, { recursive: true });
  }
});

function raw(query: Kysely<Schema>, text: string) {
  return { compile: () => sql.raw(text).compile(query) };
}
