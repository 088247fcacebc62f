import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { dataFolder } from '#server/storage/data-folder.js';
import { openServiceStorage } from '#server/storage/open-storage.js';

declare module 'vitest' {
  interface ProvidedContext {
    sqlite?: { readonly template: string };
  }
}

/** Makes a database with its tables for the tests of the project to copy theirs from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-template-'));
  const folder = dataFolder(dir);
  const storage = await openServiceStorage(folder);
  await storage.close();
  project.provide('sqlite', { template: folder.databasePath });
  return () => rm(dir, { recursive: true, force: true });
}
