import { createHash } from 'node:crypto';
import type { Compilable } from 'kysely';
import { ownerOfId } from '../../../storage/blobs/owned-id.js';
import type { Database } from '../../../storage/database.js';
import { fileOfPart } from '../file-parts.js';
import { type ChunkRange, planTruncation } from './chunk-ranges.js';

/** One object with bytes of a file. */
export interface Chunk extends ChunkRange {
  readonly objectId: string;
  /** Null where the object has more bytes than count. */
  readonly sha256: string | null;
}

/** The rows that say which objects have the bytes of an id. */
export function createChunkRows({ query, clock }: Pick<Database, 'query' | 'clock'>) {
  const of = (bytesId: string) => query.selectFrom('drop_file_chunk').where('bytes_id', '=', bytesId);
  const remove = (bytesId: string, fromBytes = 0): Compilable =>
    query
      .deleteFrom('drop_file_chunk')
      .where('bytes_id', '=', bytesId)
      .where('offset_bytes', '>=', fromBytes);

  return {
    /** In order. */
    async read(bytesId: string): Promise<readonly Chunk[]> {
      const rows = await of(bytesId)
        .select(['offset_bytes', 'size_bytes', 'object_id', 'sha256'])
        .orderBy('offset_bytes')
        .execute();
      return rows.map((row) => ({
        offsetBytes: row.offset_bytes,
        sizeBytes: row.size_bytes,
        objectId: row.object_id,
        sha256: row.sha256,
      }));
    },

    /** Whose bytes they are. Throws where the file was deleted. */
    async accountOf(bytesId: string): Promise<number> {
      const fileId = fileOfPart(bytesId);
      const owner = ownerOfId(fileId);
      if (owner !== null) return owner;
      const row = await query
        .selectFrom('drop_file')
        .select('account_id')
        .where('id', '=', fileId)
        .executeTakeFirst();
      if (row === undefined) throw new Error('the file was deleted meanwhile');
      return row.account_id;
    },

    insert(bytesId: string, accountId: number, chunks: readonly Chunk[]): Compilable {
      const [file_id, created_at] = [fileOfPart(bytesId), clock()];
      return query.insertInto('drop_file_chunk').values(
        chunks.map(({ offsetBytes, sizeBytes, objectId, sha256 }) => ({
          bytes_id: bytesId,
          offset_bytes: offsetBytes,
          size_bytes: sizeBytes,
          object_id: objectId,
          sha256,
          file_id,
          account_id: accountId,
          created_at,
        })),
      );
    },

    /** Those from an offset on. */
    remove,

    /** Of the file these bytes stay, from its beginning. */
    truncate(bytesId: string, chunks: readonly Chunk[], sizeBytes: number): readonly Compilable[] {
      const { removed, shortened } = planTruncation(chunks, sizeBytes);
      return [
        ...(removed.length === 0 ? [] : [remove(bytesId, sizeBytes)]),
        ...(shortened === null
          ? []
          : [
              query
                .updateTable('drop_file_chunk')
                .set({ size_bytes: shortened.sizeBytes, sha256: null })
                .where('bytes_id', '=', bytesId)
                .where('offset_bytes', '=', shortened.chunk.offsetBytes),
            ]),
      ];
    },

    /** Those of these names of contents whose chunks are as the rows say. */
    async findContents(names: readonly string[]): Promise<ReadonlySet<string>> {
      const rows = await query
        .selectFrom('drop_file_chunk')
        .select(['bytes_id', 'object_id', 'size_bytes'])
        .where('bytes_id', 'in', [...new Set(names.map(bytesOfContent))])
        .orderBy('bytes_id')
        .orderBy('offset_bytes')
        .execute();
      const chunks = new Map<string, Pick<Chunk, 'objectId' | 'sizeBytes'>[]>();
      for (const { bytes_id, object_id, size_bytes } of rows) {
        const known = chunks.get(bytes_id) ?? [];
        chunks.set(bytes_id, [...known, { objectId: object_id, sizeBytes: size_bytes }]);
      }
      const there = new Set([...chunks].map(([bytesId, of]) => contentKey(bytesId, of)));
      return new Set(names.filter((name) => there.has(`${storePrefix}${name}`)));
    },

    async isThere(objectId: string): Promise<boolean> {
      const row = await query
        .selectFrom('drop_file_chunk')
        .select('object_id')
        .where('object_id', '=', objectId)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

export type ChunkRows = ReturnType<typeof createChunkRows>;

/** Names the content of an id on this machine: other chunks are other content. */
export function contentKey(
  bytesId: string,
  chunks: readonly Pick<Chunk, 'objectId' | 'sizeBytes'>[],
): string {
  const content = JSON.stringify(chunks.map(({ objectId, sizeBytes }) => [objectId, sizeBytes]));
  return `${contentKeysOf(bytesId)}${createHash('sha256').update(content).digest('hex').slice(0, 32)}`;
}

/** How all such names of an id begin. */
export function contentKeysOf(bytesId: string): string {
  return `${storePrefix}${bytesId}${beforeContent}`;
}

const storePrefix = 'drops-';
const beforeContent = '..';

/** The id whose content has this name, which is a key without the store. */
function bytesOfContent(name: string): string {
  return name.slice(0, name.lastIndexOf(beforeContent));
}
