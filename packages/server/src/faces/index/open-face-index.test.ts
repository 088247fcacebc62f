import { afterEach, expect, test } from 'vitest';
import type { Database } from '../../storage/database.js';
import { openPgliteDatabase } from '../../storage/fixtures/pglite-database.js';
import { createStoredGalleries } from '../stored-galleries.js';
import { createGalleryRows } from './fixtures/gallery-rows.js';
import { vectorOf } from './fixtures/vectors.js';
import { openFaceIndex } from './open-face-index.js';

let database: Database;
afterEach(() => database.close());

test('the index is in the database where that has pgvector or the settings ask for it, else in memory', async () => {
  database = await openPgliteDatabase();
  const searchesMs: number[] = [];
  const open = (faceIndex: 'auto' | 'memory' | 'pgvector', isPostgres = true) =>
    openFaceIndex({
      database,
      isPostgres,
      faceIndex,
      stored: createStoredGalleries({ database, onDamaged: () => undefined }),
      maxBytes: 1e9,
      onThreadCrashed: () => undefined,
      onDamaged: () => undefined,
      onSearch: (durationMs) => searchesMs.push(durationMs),
    });
  const gallery = { accountId: 1, perceptionId: 1, embedder: 'test@1' };
  await createGalleryRows(database).commit(gallery, [{ imageId: 1, personId: 1, vector: vectorOf(1, 64) }]);
  const facesInMemory = async (...how: Parameters<typeof open>) => {
    const index = await open(...how);
    expect(await index.nearestPeople(gallery, vectorOf(1, 64), { people: 1 })).toMatchObject([
      { imageId: 1 },
    ]);
    const { faces } = index.stats();
    await index.close();
    return faces;
  };
  // In this order: the extension is made by the one who asks for it by name.
  expect(await facesInMemory('auto')).toBe(1);
  expect(await facesInMemory('pgvector')).toBe(0);
  expect(await facesInMemory('auto')).toBe(0);
  expect(await facesInMemory('memory')).toBe(1);
  expect(searchesMs).toHaveLength(4);
  await expect(open('pgvector', false)).rejects.toThrow(/set databaseUrl/);
});
