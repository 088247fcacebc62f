import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { dataFolder } from '#server/storage/data-folder.js';
import { migrateSqlite } from '#server/storage/sqlite/migrate.js';
import { openSqlite } from '#server/storage/sqlite/open-sqlite.js';

declare module 'vitest' {
  interface ProvidedContext {
    sqlite?: { readonly template: string };
  }
}

/** Makes a database with its tables for the tests of the project to copy theirs from; it belongs to no data folder yet. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-template-'));
  const { databasePath, backupsDir } = dataFolder(dir);
  await migrateSqlite(databasePath, backupsDir, Date.now());
  // Folds its log into the file, which is copied alone.
  const database = await openSqlite({ path: databasePath });
  await database.close();
  project.provide('sqlite', { template: databasePath });
  return () => rm(dir, { recursive: true, force: true });
}
