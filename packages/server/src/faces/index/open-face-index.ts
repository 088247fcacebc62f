import { sql } from 'kysely';
import { ConfigError } from '../../core/config-error.js';
import type { Database } from '../../storage/database.js';
import type { FaceIndex } from './face-index.js';
import { createMemoryFaceIndex, type MemoryFaceIndexOptions } from './memory-face-index.js';
import { openPgvectorFaceIndex } from './pgvector-face-index.js';

interface FaceIndexOptions extends MemoryFaceIndexOptions {
  readonly database: Database;
  readonly isPostgres: boolean;
  /** `auto`: pgvector where the database has it already, else memory. */
  readonly faceIndex: 'auto' | 'memory' | 'pgvector';
  readonly onSearch: (durationMs: number) => void;
}

/** Opens the index that the settings ask for. Throws ConfigError when the database cannot be one. */
export async function openFaceIndex(options: FaceIndexOptions): Promise<FaceIndex> {
  const { database, isPostgres, faceIndex, onSearch } = options;
  if (faceIndex === 'pgvector') await checkPgvector(database, isPostgres);
  const inDatabase =
    faceIndex === 'pgvector' || (faceIndex === 'auto' && isPostgres && (await has(database)));
  const index = inDatabase ? await openPgvectorFaceIndex(options) : createMemoryFaceIndex(options);
  return observeSearches(index, onSearch);
}

async function checkPgvector(database: Database, isPostgres: boolean): Promise<void> {
  if (!isPostgres) {
    throw new ConfigError(
      'The setting faceIndex is pgvector, which needs PostgreSQL: set databaseUrl, or faceIndex to memory.',
    );
  }
  const { rows } = await sql`select 1 as one from pg_available_extensions where name = 'vector'`.execute(
    database.query,
  );
  if (rows.length === 0) {
    throw new ConfigError(
      'The setting faceIndex is pgvector, and the PostgreSQL server has no such extension: install pgvector there, or set faceIndex to memory.',
    );
  }
}

async function has({ query }: Database): Promise<boolean> {
  return (
    (await sql`select 1 as one from pg_extension where extname = 'vector'`.execute(query)).rows.length > 0
  );
}

/** The same index, reporting the time of each search. */
function observeSearches(index: FaceIndex, onSearch: (durationMs: number) => void): FaceIndex {
  return {
    ...index,
    async nearestPeople(gallery, query, wanted) {
      const startedAt = performance.now();
      try {
        return await index.nearestPeople(gallery, query, wanted);
      } finally {
        onSearch(performance.now() - startedAt);
      }
    },
  };
}
