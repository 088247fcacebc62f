import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../storage/database.js';
import { openPgliteDatabase } from '../../storage/fixtures/pglite-database.js';
import { createStoredGalleries } from '../stored-galleries.js';
import { faceIndexContract, type IndexOnTrial } from './fixtures/face-index-contract.js';
import { createGalleryRows } from './fixtures/gallery-rows.js';
import { vectorOf } from './fixtures/vectors.js';
import { openPgvectorFaceIndex } from './pgvector-face-index.js';

interface PgvectorTrial extends IndexOnTrial {
  /** Faces of each gallery that was read as a whole. */
  readonly loads: readonly number[];
}

/** One for all, emptied after each: making one takes seconds. */
let database: Database;
beforeAll(async () => {
  database = await openPgliteDatabase();
});
afterAll(() => database.close());

async function openTrial(): Promise<PgvectorTrial> {
  const loads: number[] = [];
  const stored = createStoredGalleries({ database, onDamaged: () => undefined });
  const index = await openPgvectorFaceIndex({ database, stored, onLoaded: (faces) => loads.push(faces) });
  const empty = sql`truncate account cascade`.compile(database.query);
  const close = async () => void (await database.write([{ compile: () => empty }]));
  return { index, loads, rows: createGalleryRows(database), close };
}

faceIndexContract('pgvector', openTrial);

const gallery = { accountId: 1, perceptionId: 1, embedder: 'test@1' };
const face = (id: number) => ({ imageId: id, personId: id, vector: vectorOf(id, 64) });
let trial: PgvectorTrial;
afterEach(() => trial?.close());

test('two services that read the same gallery at once both find what the database has', async () => {
  trial = await openTrial();
  const other = await openTrial();
  await trial.rows.commit(
    gallery,
    Array.from({ length: 1200 }, (_, at) => face(at + 1)),
  );
  const searching = [trial, other, trial, other].map(({ index }) =>
    index.nearestPeople(gallery, vectorOf(1100, 64), { people: 2000 }),
  );
  for (let id = 1; id <= 40; id += 1) await trial.rows.delete(gallery, [id]);
  await Promise.all(searching);
  for (const { index } of [trial, other]) {
    const found = await index.nearestPeople(gallery, vectorOf(1100, 64), { people: 2000 });
    expect(found[0]?.imageId).toBe(1100);
    expect(found).toHaveLength(1160);
  }
});

test('a service that starts later reads nothing again', async () => {
  trial = await openTrial();
  await trial.rows.commit(gallery, [face(1), face(2)]);
  await trial.index.prepare(gallery);
  const later = await openTrial();
  const [found] = await later.index.nearestPeople(gallery, vectorOf(2, 64), { people: 1 });
  expect(found?.imageId).toBe(2);
  expect([trial.loads, later.loads]).toEqual([[2], []]);
});
