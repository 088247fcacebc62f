import type { Readable } from 'node:stream';
import { ServiceError } from '../../core/service-error.js';
import type { People } from '../../faces/people.js';
import type { BlobStore } from '../../storage/blobs/blob-store.js';
import type { Database } from '../../storage/database.js';
import type { VideoDeletion } from './deletion.js';
import { type ShownTimeline, showTimeline } from './timeline/shown-timeline.js';
import type { Video } from './video.js';
import type { Videos } from './videos.js';

/** Videos of accounts with what was found in them, for who looks after them. */
export type VideoStore = ReturnType<typeof createVideoStore>;

export interface SentVideo extends NonNullable<Video['file']> {
  readonly read: (part: Parameters<BlobStore['readPart']>[1]) => Promise<Readable | null>;
}

interface VideoStoreDeps {
  readonly database: Pick<Database, 'query'>;
  readonly videos: Videos;
  readonly deletion: VideoDeletion;
  /** Of media. */
  readonly files: Pick<BlobStore, 'read' | 'readPart'>;
  readonly people: Pick<People, 'named'>;
}

export function createVideoStore({ database, videos, deletion, files, people }: VideoStoreDeps) {
  const { query } = database;

  const findThumbnail = (accountId: number, id: number, blobId: string) =>
    query
      .selectFrom('media_blob')
      .select(['person_id'])
      .where('blob_id', '=', blobId)
      .where('account_id', '=', accountId)
      .where('video_id', '=', id)
      .where('kind', '=', 'thumbnail')
      .executeTakeFirst();

  return {
    videos,
    deletion,

    /** Throws `conflict` before the video was analysed. What it answers is read to its end, or closed. */
    async readTimeline(accountId: number, id: number): Promise<ShownTimeline> {
      let read: string | null = null;
      for (;;) {
        const { timelineId, info } = await videos.read(accountId, id);
        if (timelineId === null || info === null) {
          throw new ServiceError('conflict', `video ${id} is not analysed: see the state of its job`);
        }
        const blob = await files.read(timelineId);
        if (blob !== null) return showTimeline({ people }, accountId, { info, file: blob.stream });
        // Between both, another may have come in its place.
        if (timelineId === read) throw new ServiceError('not_found', 'the timeline is there no longer');
        read = timelineId;
      }
    },

    /** Throws `conflict` while it is fetched. */
    async readFile(accountId: number, id: number): Promise<SentVideo> {
      const { file } = await videos.read(accountId, id);
      if (file === null) throw new ServiceError('conflict', `video ${id} is not fetched yet`);
      return { ...file, read: (part) => files.readPart(file.id, part) };
    },

    /** Throws `not_found`, for one that shows a person who was deleted too. Whoever gets the stream reads or destroys it. */
    async readThumbnail(
      accountId: number,
      id: number,
      blobId: string,
    ): Promise<{ readonly sizeBytes: number; readonly stream: Readable }> {
      await videos.read(accountId, id);
      const row = await findThumbnail(accountId, id, blobId);
      const isForgotten =
        row != null &&
        row.person_id !== null &&
        !(await people.named(accountId, [row.person_id])).has(row.person_id);
      const blob = row === undefined || isForgotten ? null : await files.read(blobId);
      if (blob === null) throw new ServiceError('not_found', 'the video has no such thumbnail');
      return blob;
    },
  };
}
