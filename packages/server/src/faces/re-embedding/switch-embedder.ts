import { countUp } from '../../storage/count-up.js';
import type { Database } from '../../storage/database.js';
import type { GalleryRef } from '../index/face-index.js';
import { missingIn } from './gallery-queries.js';

export interface EmbedderSwitch {
  readonly accountId: number;
  readonly perceptionId: number;
  readonly from: string;
  readonly to: string;
  /** On whose behalf: without effect once that job has ended or shall end. */
  readonly jobId: string;
}

/**
 * Gives a perception another embedder, in one unit, if that has described every image that it can. False when an image
 * came meanwhile, the perception is gone or has another embedder than `from`, or the job is over.
 */
export async function switchEmbedder(
  database: Database,
  { accountId, perceptionId, from, to, jobId }: EmbedderSwitch,
): Promise<boolean> {
  const { query } = database;
  const gallery: GalleryRef = { accountId, perceptionId, embedder: to };
  const [, switched] = await database.write([
    lockImages(database, accountId),
    query
      .updateTable('perception')
      .set({ embedder: to })
      .where('account_id', '=', accountId)
      .where('id', '=', perceptionId)
      .where('embedder', '=', from)
      .where('deleted_at', 'is', null)
      .where(({ not, exists }) => not(exists(missingIn(query, gallery).select('face_image.id'))))
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('job')
            .select('job.id')
            .where('job.id', '=', jobId)
            .where('job.ended_at', 'is', null)
            .where('job.cancel_asked', '=', 0),
        ),
      ),
  ]);
  return switched?.changes === 1;
}

/**
 * First in a unit: no image is added to the account until the unit ends, and the statements after it see all that were.
 * Every insert begins with this counter; on PostgreSQL its row is the lock.
 */
export function lockImages(database: Pick<Database, 'query'>, accountId: number) {
  return countUp(database, accountId, 'face_image', 0);
}
