import type { Compilable } from 'kysely';
import type { Database } from '../../../storage/database.js';
import type { Media } from '../../media.js';
import type { Timeline } from '../timeline/timeline.js';
import { timelineMediaType, writeTimelineLines } from '../timeline/timeline-lines.js';
import type { VideoInfo } from '../video.js';
import type { BestImages } from './best-images.js';

interface KeepFindingsDeps {
  readonly database: Pick<Database, 'query' | 'write'>;
  readonly media: Pick<Media, 'write' | 'files'>;
}

interface KeptFor {
  readonly accountId: number;
  readonly videoId: number;
  /** Of the job. */
  readonly fence: readonly Compilable[];
}

/** Writes what was found, in one unit, in the place of what an analysis before found. */
export async function keepFindings(
  { database, media }: KeepFindingsDeps,
  { accountId, videoId, fence }: KeptFor,
  {
    timeline,
    info,
    images,
  }: {
    readonly timeline: Timeline;
    readonly info: VideoInfo;
    readonly images: Pick<BestImages, 'rows'>;
  },
): Promise<void> {
  const { query } = database;
  const before = await query
    .selectFrom('media_blob')
    .select('blob_id')
    .where('account_id', '=', accountId)
    .where('video_id', '=', videoId)
    .where('kind', 'in', ['timeline', 'thumbnail'])
    .execute();
  const replaced = before.map(({ blob_id }) => blob_id);
  const written = await media.write(
    { accountId, kind: 'timeline', owner: { videoId }, mediaType: timelineMediaType },
    writeTimelineLines(timeline),
  );
  try {
    await database.write([
      ...(replaced.length === 0 ? [] : [query.deleteFrom('media_blob').where('blob_id', 'in', replaced)]),
      ...images.rows(),
      written.row,
      query
        .updateTable('video')
        .set({ info: JSON.stringify(info), timeline_id: written.id })
        .where('account_id', '=', accountId)
        .where('id', '=', videoId),
      ...fence,
    ]);
  } catch (error) {
    await media.files.remove(written.id);
    throw error;
  }
  // No row names them: what is not deleted now is left to the sweep.
  for (const id of replaced) await media.files.remove(id).catch(() => undefined);
}
