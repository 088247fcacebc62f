import type { Clock } from '../core/clock.js';
import type { Database } from '../storage/database.js';
import { StorageError } from '../storage/storage-error.js';
import type { Media } from './media.js';

export interface RemoveTracksDeps {
  readonly database: Pick<Database, 'query' | 'write'>;
  readonly clock: Clock;
  readonly media: Pick<Media, 'remove'>;
}

/** Files in one unit. */
const batchSize = 300;

/**
 * Deletes tracks with their events and files: hidden first, so that a crash in between leaves nothing that is seen, and the
 * sweep of hidden tracks completes it.
 * @param ids at most some hundreds
 */
export async function removeTracks(
  { database, clock, media }: RemoveTracksDeps,
  accountId: number,
  ids: readonly string[],
): Promise<{ readonly files: number; readonly bytes: number }> {
  let [files, bytes] = [0, 0];
  if (ids.length === 0) return { files, bytes };
  const { query } = database;
  await database.write([
    query
      .updateTable('stream_track')
      .set({ deleted_at: clock() })
      .where('account_id', '=', accountId)
      .where('id', 'in', ids)
      .where('deleted_at', 'is', null),
  ]);
  for (;;) {
    const blobs = await query
      .selectFrom('media_blob')
      .select(['blob_id', 'size_bytes'])
      .where('account_id', '=', accountId)
      .where('track_id', 'in', ids)
      .limit(batchSize)
      .execute();
    if (blobs.length === 0) break;
    await media.remove(
      accountId,
      blobs.map(({ blob_id }) => blob_id),
    );
    files += blobs.length;
    bytes += blobs.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  }
  const removal = database.write([
    query.deleteFrom('stream_event').where('account_id', '=', accountId).where('track_id', 'in', ids),
    query
      .deleteFrom('stream_track')
      .where('account_id', '=', accountId)
      .where('id', 'in', ids)
      // Whoever runs the stream wrote another file meanwhile: the track stays hidden, and goes with the next sweep.
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('media_blob')
              .select('blob_id')
              .whereRef('media_blob.track_id', '=', 'stream_track.id'),
          ),
        ),
      ),
  ]);
  await removal.catch(unlessNamed);
  return { files, bytes };
}

/** A row of what is deleted came while it was deleted: it is looked for again. Throws other errors. */
export function unlessNamed(error: unknown): void {
  if (!(error instanceof StorageError) || error.code !== 'constraint') throw error;
}
