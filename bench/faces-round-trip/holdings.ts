import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { dataFolder } from '#server/storage/data-folder.js';
import type { Database } from '#server/storage/database.js';
import { openStorageBesideService } from '../open-storage-beside-service.js';

/** Everything about faces in a data folder, read without the service. */
export interface Holdings {
  readonly perceptions: number;
  readonly people: number;
  readonly images: number;
  readonly embeddings: number;
  readonly corrections: number;
  /** Entries of the list that the index follows. */
  readonly changes: number;
  /** Files on disk. */
  readonly imageFiles: number;
  readonly imageBytes: number;
  readonly databaseBytes: number;
}

export async function readHoldings(dataDir: string): Promise<Holdings> {
  const rows = await withDatabase(dataDir, async ({ query }) => {
    const count = async (
      table: 'perception' | 'person' | 'face_image' | 'face_embedding' | 'face_correction' | 'face_change',
    ) => {
      const row = await query
        .selectFrom(table)
        .select((select) => select.fn.countAll().as('rows'))
        .executeTakeFirst();
      return Number(row?.rows);
    };
    return {
      perceptions: await count('perception'),
      people: await count('person'),
      images: await count('face_image'),
      embeddings: await count('face_embedding'),
      corrections: await count('face_correction'),
      changes: await count('face_change'),
    };
  });
  const { facesDir } = dataFolder(dataDir);
  const files = (await readdir(facesDir, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  );
  return {
    ...rows,
    imageFiles: files.length,
    imageBytes: sizes.reduce((sum, size) => sum + size, 0),
    databaseBytes: (await databaseFiles(dataDir)).reduce((sum, { byteLength }) => sum + byteLength, 0),
  };
}

/** Some stored vectors, to look for later. */
export function sampleVectors(dataDir: string, count: number): Promise<readonly Buffer[]> {
  return withDatabase(dataDir, async ({ query }) => {
    const rows = await query.selectFrom('face_embedding').select('vector').limit(count).execute();
    return rows.map(({ vector }) => Buffer.from(vector));
  });
}

/** How many of these vectors can still be read out of the files of an SQLite database, rows or no rows. */
export async function countReadable(dataDir: string, vectors: readonly Buffer[]): Promise<number> {
  const files = await databaseFiles(dataDir);
  // A part that no page boundary is likely to cut.
  const parts = vectors.map((vector) => vector.subarray(0, 64));
  return parts.filter((part) => files.some((file) => file.includes(part))).length;
}

async function databaseFiles(dataDir: string): Promise<readonly Buffer[]> {
  const { databasePath } = dataFolder(dataDir);
  const none = () => Buffer.alloc(0);
  return Promise.all([databasePath, `${databasePath}-wal`].map((path) => readFile(path).catch(none)));
}

async function withDatabase<T>(dataDir: string, work: (database: Database) => Promise<T>): Promise<T> {
  const storage = await openStorageBesideService(dataDir, '');
  try {
    return await work(storage.database);
  } finally {
    await storage.close();
  }
}
