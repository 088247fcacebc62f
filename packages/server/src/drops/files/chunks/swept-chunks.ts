import { sql } from 'kysely';
import type { BlobStore } from '../../../storage/blobs/blob-store.js';
import type { Database } from '../../../storage/database.js';
import type { SweptStore } from '../../../storage/quarantine/sweep-store.js';
import { partId } from '../file-parts.js';
import { createChunkRows } from './chunk-rows.js';

/** Objects with bytes of drops' files, as far as rows name them. */
export function sweptChunks(
  database: Pick<Database, 'query' | 'clock'>,
  { list, placeOf }: Pick<BlobStore, 'list' | 'placeOf'>,
): SweptStore {
  const { query } = database;
  return {
    name: 'drops',
    list,
    placeOf,
    async findNamed(ids) {
      const rows = await query
        .selectFrom('drop_file_chunk')
        .select('object_id')
        .where('object_id', 'in', ids)
        .execute();
      return new Set(rows.map(({ object_id }) => object_id));
    },
    findNamedCopies: createChunkRows(database).findContents,
  };
}

/** Bytes that a service was writing when it died are young. */
const ageMs = 3_600_000;
const batchSize = 300;

/**
 * Deletes rows of bytes that no file needs, as a service leaves them that dies during a deletion; their objects are orphans then. Of
 * what is done, one part is shown, and what has a row of its own; what is not ended may need all of them.
 */
export async function sweepChunkRows({ query, write }: Database, nowMs: number): Promise<void> {
  const shownId = sql`case when drop_file.output like '%"part":"image"%' then ${partId('', 'image')} else '' end`;
  for (;;) {
    const [removed] = await write([
      query.deleteFrom('drop_file_chunk').where('object_id', 'in', (from) =>
        from
          .selectFrom('drop_file_chunk as chunk')
          .leftJoin('drop_file', 'drop_file.id', 'chunk.file_id')
          .select('chunk.object_id')
          .where('chunk.created_at', '<=', nowMs - ageMs)
          .where(({ or, and, eb, not, exists, selectFrom }) =>
            and([
              or([
                eb('drop_file.id', 'is', null),
                and([
                  eb('drop_file.state', '=', 'done'),
                  sql<boolean>`chunk.bytes_id <> drop_file.id || ${shownId}`,
                ]),
              ]),
              or([
                sql<boolean>`chunk.bytes_id = drop_file.id`,
                not(
                  exists(
                    selectFrom('drop_file as own').select('own.id').whereRef('own.id', '=', 'chunk.bytes_id'),
                  ),
                ),
              ]),
            ]),
          )
          .limit(batchSize),
      ),
    ]);
    if ((removed?.changes ?? 0) < batchSize) return;
  }
}
