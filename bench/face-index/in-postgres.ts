import { sql } from 'kysely';
import { createGalleryRows } from '#server/faces/index/fixtures/gallery-rows.js';
import { openPgvectorFaceIndex } from '#server/faces/index/pgvector-face-index.js';
import { createStoredGalleries } from '#server/faces/stored-galleries.js';
import { openPgliteDatabase } from '#server/storage/fixtures/pglite-database.js';
import { clusteredFace, dimensions, imagesPerPerson, strangeImageOf } from './clustered-faces.js';
import { type Times, timeEach } from './timing.js';

/** PostgreSQL with pgvector, compiled to WebAssembly and in this process: slower than a server, by how much is not known here. */
export interface PostgresFigures {
  readonly faces: number;
  readonly buildMs: number;
  readonly exact: Times;
  readonly ofPerson: Times;
  readonly hnswBuildMs: number;
  readonly hnsw: Times;
  /** Part of the searches in which the approximate index found the nearest image. */
  readonly hnswRecall: number;
}

const gallery = { accountId: 1, perceptionId: 1001, embedder: 'bench@1' };

export async function measurePostgres(faces: number, searches: number): Promise<PostgresFigures> {
  const database = await openPgliteDatabase();
  try {
    const rows = createGalleryRows(database);
    for (let from = 0; from < faces; from += 200) {
      await rows.commit(
        gallery,
        Array.from({ length: Math.min(200, faces - from) }, (_, at) => clusteredFace(from + at)),
      );
    }
    const stored = createStoredGalleries({ database, onDamaged: () => undefined });
    const index = await openPgvectorFaceIndex({ database, stored });
    const buildMs = await time(() => index.prepare(gallery));
    const people = Math.ceil(faces / imagesPerPerson);
    const asked = (at: number) => strangeImageOf((at * 7919) % people, at);
    const exact = await timeEach(searches, (at) => index.nearestPeople(gallery, asked(at), { people: 10 }));
    const ofPerson = await timeEach(searches, (at) =>
      index.nearestPeople(gallery, asked(at), { people: 1, personId: 1001 + ((at * 7919) % people) }),
    );
    const graph = sql.raw(
      `create index bench_hnsw on face_vector using hnsw ((vector::vector(${dimensions})) vector_ip_ops)`,
    );
    const hnswBuildMs = await time(() => database.write([{ compile: () => graph.compile(database.query) }]));
    const approximate = async (query: Float32Array) => {
      const text = `[${query.join(',')}]`;
      const { rows: found } = await sql<{ readonly id: number }>`
        select image_id as id from face_vector
        order by vector::vector(${sql.raw(String(dimensions))}) <#> ${text}::vector limit 80`.execute(
        database.query,
      );
      return found[0]?.id;
    };
    const hnsw = await timeEach(searches, (at) => approximate(asked(at)));
    let right = 0;
    for (let at = 0; at < searches; at += 1) {
      const [best] = await index.nearestPeople(gallery, asked(at), { people: 1 });
      if (best?.imageId === (await approximate(asked(at)))) right += 1;
    }
    return { faces, buildMs, exact, ofPerson, hnswBuildMs, hnsw, hnswRecall: right / searches };
  } finally {
    await database.close();
  }
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
