import type { BlobStore, HeldFile } from '../storage/blobs/blob-store.js';
import type { Database } from '../storage/database.js';

/** Files of videos, for whatever plays them. */
export type VideoFiles = ReturnType<typeof createVideoFiles>;

export function createVideoFiles({
  database: { query },
  files,
}: {
  readonly database: Pick<Database, 'query'>;
  /** Of media. */
  readonly files: Pick<BlobStore, 'hold'>;
}) {
  return {
    /** The file of a video on this machine, until it is released; null where the account has no such video, or no file of it yet. */
    async hold(accountId: number, videoId: number): Promise<HeldFile | null> {
      const row = await query
        .selectFrom('video')
        .select('file_id')
        .where('account_id', '=', accountId)
        .where('id', '=', videoId)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      return row == null || row.file_id === null ? null : files.hold(row.file_id);
    },
  };
}

/** Works on the file of a video, which is there until the work ends; null where there is none. */
export async function withVideoFile<T>(
  videos: VideoFiles,
  accountId: number,
  videoId: number,
  work: (path: string) => Promise<T>,
): Promise<T | null> {
  const held = await videos.hold(accountId, videoId);
  if (held === null) return null;
  try {
    return await work(held.path);
  } finally {
    held.release();
  }
}
