import type { Clock } from '../../core/clock.js';
import { createAccountRows } from '../../storage/account-rows.js';
import type { Database } from '../../storage/database.js';
import type { Media } from '../media.js';
import { videoKind } from './video.js';
import { videoNotFound } from './video-rows.js';

/** What a deletion removed, for good. */
export interface VideoReceipt {
  /** Of the video with its thumbnails and its timeline. */
  readonly bytes: number;
}

export type VideoDeletion = ReturnType<typeof createVideoDeletion>;

/** Files in one unit, so that it does not hold up other writers. */
const batchSize = 300;

export function createVideoDeletion({
  database,
  clock,
  media,
}: {
  readonly database: Database;
  readonly clock: Clock;
  readonly media: Pick<Media, 'remove'>;
}) {
  const { query } = database;
  const rows = createAccountRows({
    ...{ database, clock },
    table: 'video',
    kind: 'video',
    toItem: ({ id }) => ({ id }),
    notFound: videoNotFound,
  });

  const deleteVideo = async ({ account_id: accountId, id }: { account_id: number; id: number }) => {
    // The job that may be running writes nothing from here on: its units end with a fence.
    await database.write([
      query
        .deleteFrom('job')
        .where('account_id', '=', accountId)
        .where('kind', '=', videoKind)
        .where('subject', '=', String(id)),
    ]);
    let bytes = 0;
    for (;;) {
      const files = await query
        .selectFrom('media_blob')
        .select(['blob_id', 'size_bytes'])
        .where('account_id', '=', accountId)
        .where('video_id', '=', id)
        .limit(batchSize)
        .execute();
      if (files.length === 0) break;
      await media.remove(
        accountId,
        files.map(({ blob_id }) => blob_id),
      );
      bytes += files.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
    }
    await database.write([
      query.deleteFrom('video').where('account_id', '=', accountId).where('id', '=', id),
    ]);
    return { bytes };
  };

  return {
    /** Hidden at once, and the work on it ends; a deletion that is interrupted is completed by `finish`. */
    removeVideo: (accountId: number, id: number): Promise<VideoReceipt> =>
      rows.remove(accountId, id, deleteVideo),

    /** Hides those whose time is over, which `finish` deletes. */
    async hideExpired(fenced: Pick<Database, 'query' | 'write'>) {
      const nowMs = clock();
      await fenced.write([
        fenced.query
          .updateTable('video')
          .set({ deleted_at: nowMs })
          .where('expires_at', '<=', nowMs)
          .where('deleted_at', 'is', null),
      ]);
    },

    /** Completes deletions; returns how many. */
    finish: (hiddenForMs?: number): Promise<number> =>
      rows.finishRemovals(
        deleteVideo,
        hiddenForMs === undefined ? undefined : { hiddenBefore: clock() - hiddenForMs },
      ),
  };
}
