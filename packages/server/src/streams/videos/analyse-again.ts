import { ServiceError } from '../../core/service-error.js';
import type { Jobs } from '../../service/jobs/jobs.js';
import type { Database } from '../../storage/database.js';
import { refuseUnless } from '../../storage/leases/fence.js';
import { StorageError } from '../../storage/storage-error.js';
import type { CheckReferences } from '../check-references.js';
import { type Video, videoKind } from './video.js';
import { type createVideoRows, videoNotFound } from './video-rows.js';
import { mergeVideoSettings, type VideoSettings } from './video-settings.js';

/**
 * Has a video analysed again, and fetched where that failed before; what the change leaves out of the settings stays. The
 * timeline that it has is kept until there is a new one. Throws `conflict` while it is analysed, and what wrong settings throw.
 */
export type AnalyseAgain = (accountId: number, id: number, change?: Partial<VideoSettings>) => Promise<Video>;

interface AnalyseAgainDeps {
  readonly database: Database;
  readonly jobs: Pick<Jobs, 'insert' | 'wake'>;
  readonly checkReferences: CheckReferences;
}

export function createAnalyseAgain(
  { database, jobs, checkReferences }: AnalyseAgainDeps,
  rows: Pick<ReturnType<typeof createVideoRows>, 'read'>,
): AnalyseAgain {
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
