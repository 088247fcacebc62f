import type { Compilable } from 'kysely';
import type { Clock } from '../core/clock.js';
import type { BlobStore, StoredBlob } from '../storage/blobs/blob-store.js';
import { ownedUuid } from '../storage/blobs/owned-id.js';
import type { Database } from '../storage/database.js';
import type { Schema } from '../storage/schema.js';

/** What a file of media belongs to: a track of a stream, or a video. */
type MediaOwner =
  | { readonly trackId: string; readonly videoId?: undefined }
  | {
      readonly videoId: number;
      readonly trackId?: undefined;
      /** Who is seen in a thumbnail; nobody that has a name unless given. */
      readonly personId?: number | null;
    };

export interface NewMedia {
  readonly accountId: number;
  readonly kind: Schema['media_blob']['kind'];
  readonly owner: MediaOwner;
  /** Such as `image/jpeg`. */
  readonly mediaType: string;
}

/** Snapshots, clips, videos and their thumbnails. */
export type Media = ReturnType<typeof createMedia>;

interface MediaDeps {
  readonly database: Pick<Database, 'query' | 'write'>;
  readonly clock: Clock;
  readonly files: BlobStore;
}

export function createMedia({ database, clock, files }: MediaDeps) {
  const { query } = database;
  return {
    files,
    /**
     * Writes a file. It is kept once `row` is written; without it, a sweep moves the file to quarantine.
     */
    async write(
      { accountId, kind, owner, mediaType }: NewMedia,
      content: AsyncIterable<Uint8Array>,
    ): Promise<{ readonly id: string; readonly sizeBytes: number; readonly row: Compilable }> {
      const id = ownedUuid(accountId);
      const sizeBytes = await files.write(id, content);
      const row = query.insertInto('media_blob').values({
        blob_id: id,
        account_id: accountId,
        kind,
        track_id: owner.trackId ?? null,
        video_id: owner.videoId ?? null,
        person_id: owner.trackId === undefined ? (owner.personId ?? null) : null,
        media_type: mediaType,
        size_bytes: sizeBytes,
        created_at: clock(),
      });
      return { id, sizeBytes, row };
    },
    /** Null where there is none of this account. Whoever gets the stream reads or destroys it. */
    async read(accountId: number, id: string): Promise<(StoredBlob & { readonly mediaType: string }) | null> {
      const row = await query
        .selectFrom('media_blob')
        .select('media_type')
        .where('blob_id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      const blob = row ? await files.read(id) : null;
      return row && blob ? { ...blob, mediaType: row.media_type } : null;
    },
    /** Deletes rows, then their files: a crash in between leaves files for the sweep. */
    async remove(accountId: number, ids: readonly string[], alongside: readonly Compilable[] = []) {
      if (ids.length === 0 && alongside.length === 0) return;
      const rows = query
        .deleteFrom('media_blob')
        .where('account_id', '=', accountId)
        .where('blob_id', 'in', ids);
      await database.write([...(ids.length === 0 ? [] : [rows]), ...alongside]);
      for (const id of ids) await files.remove(id);
    },
  };
}
