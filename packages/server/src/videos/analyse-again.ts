import { ServiceError } from '../core/service-error.js';
import { refuseUnless } from '../storage/leases/fence.js';
import { StorageError } from '../storage/storage-error.js';
import { videoKind } from './video.js';
import { type createVideoRows, videoNotFound } from './video-rows.js';
import { mergeVideoSettings } from './video-settings.js';
import type { Videos, VideosDeps } from './videos.js';

/** Has a video that is there analysed once more, with other settings where they are given. */
export function createAnalyseAgain(
  { database, jobs, checkReferences }: Pick<VideosDeps, 'database' | 'jobs' | 'checkReferences'>,
  rows: Pick<ReturnType<typeof createVideoRows>, 'read'>,
): Videos['analyseAgain'] {
  const { query } = database;
  return async (accountId, id, change = {}) => {
    const video = await rows.read(accountId, id);
    const settings = mergeVideoSettings(video.settings, change);
    await checkReferences(accountId, settings);
    const job = jobs.insert(accountId, { kind: videoKind, subject: String(id), payload: {} });
    const shown = query
      .selectFrom('video')
      .select('id')
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .where('deleted_at', 'is', null);
    await database
      .write([
        query
          .updateTable('video')
          .set({ settings: JSON.stringify(settings) })
          .where('account_id', '=', accountId)
          .where('id', '=', id),
        // Nothing would delete the job of a video whose deletion began before.
        refuseUnless(database, shown),
        job.statement,
      ])
      .catch((error: unknown) => {
        if (error instanceof StorageError && error.code === 'not-null') throw videoNotFound(id);
        if (!(error instanceof StorageError) || error.code !== 'unique') throw error;
        throw new ServiceError(
          'conflict',
          `video ${id} is being analysed: wait for the end of its job, or cancel it`,
          { cause: error },
        );
      });
    jobs.wake();
    return rows.read(accountId, id);
  };
}
