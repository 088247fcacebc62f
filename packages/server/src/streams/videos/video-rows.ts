import type { Selectable, SelectQueryBuilder } from 'kysely';
import { Value } from 'typebox/value';
import { ServiceError } from '../../core/service-error.js';
import type { Database } from '../../storage/database.js';
import { type Page, type PageRequest, toPage } from '../../storage/page.js';
import type { Schema } from '../../storage/schema.js';
import { type Video, VideoInfo } from './video.js';
import { readVideoSettings } from './video-settings.js';

type VideoRow = Omit<Selectable<Schema['video']>, 'account_id' | 'deleted_at' | 'sealed_secrets'> & {
  readonly media_type: string | null;
  readonly size_bytes: number | null;
};

/** Videos that are not being deleted, each with its file. */
export function createVideoRows({ query }: Pick<Database, 'query'>) {
  const visible = (accountId: number) =>
    query
      .selectFrom('video')
      .leftJoin('media_blob', 'media_blob.blob_id', 'video.file_id')
      .select(['video.id', 'video.uid', 'video.name', 'video.address', 'video.settings', 'video.info'])
      .select(['video.file_id', 'video.timeline_id', 'video.created_at', 'video.expires_at'])
      .select(['media_blob.media_type', 'media_blob.size_bytes'])
      .where('video.account_id', '=', accountId)
      .where('video.deleted_at', 'is', null) satisfies SelectQueryBuilder<never, never, VideoRow>;
  return {
    async read(accountId: number, id: number): Promise<Video> {
      const row = await visible(accountId).where('video.id', '=', id).executeTakeFirst();
      if (!row) throw videoNotFound(id);
      return toVideo(row);
    },

    /** The newest first; a position is an id. */
    async list(accountId: number, { limit, after }: PageRequest<number>): Promise<Page<Video, number>> {
      let rows = visible(accountId);
      if (after !== undefined) rows = rows.where('video.id', '<', after);
      const found = await rows
        .orderBy('video.id', 'desc')
        .limit(limit + 1)
        .execute();
      return toPage(found.map(toVideo), limit, ({ id }) => id);
    },
  };
}

export function videoNotFound(id: number): ServiceError {
  return new ServiceError('not_found', `${id} is not one of your videos`);
}

function toVideo(row: VideoRow): Video {
  const { file_id, media_type, size_bytes } = row;
  const hasFile = file_id !== null && media_type !== null && size_bytes !== null;
  return {
    id: row.id,
    uid: row.uid,
    name: row.name,
    address: row.address,
    settings: readVideoSettings(row.settings),
    file: hasFile ? { id: file_id, mediaType: media_type, sizeBytes: size_bytes } : null,
    info: row.info === null ? null : Value.Parse(VideoInfo, JSON.parse(row.info)),
    timelineId: row.timeline_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
