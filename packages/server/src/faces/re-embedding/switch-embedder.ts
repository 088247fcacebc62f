import type { Compilable, ExpressionBuilder } from 'kysely';
import { countUp } from '../../storage/count-up.js';
import type { Database } from '../../storage/database.js';
import type { Schema } from '../../storage/schema.js';
import type { GalleryRef } from '../index/face-index.js';
import { toCalibrationColumn } from '../perception-rows.js';
import { missingIn } from './gallery-queries.js';
import type { Refit } from './refit-decision.js';

interface EmbedderSwitch {
  readonly accountId: number;
  readonly perceptionId: number;
  readonly from: string;
  readonly to: string;
  /** On whose behalf: without effect once that job has ended or shall end. */
  readonly jobId: string;
  /** Of that job. */
  readonly fence: readonly Compilable[];
  /** Decision point and curve that the perception gets with it, if it still has those they were computed from. */
  readonly refit?: Refit | undefined;
}

/**
 * Gives a perception another embedder, in one unit, if that has described every image that it can. False when an image
 * came meanwhile, the perception is gone or has another embedder than `from`, or the job is over.
 */
export async function switchEmbedder(
  database: Database,
  { accountId, perceptionId, from, to, jobId, refit, fence }: EmbedderSwitch,
): Promise<boolean> {
  const { query } = database;
  const gallery: GalleryRef = { accountId, perceptionId, embedder: to };
  const [, switched] = await database.write([
    lockImages(database, accountId),
    query
      .updateTable('perception')
      .set({ embedder: to, ...(refit && refittedColumns(refit, to)) })
      .where('account_id', '=', accountId)
      .where('id', '=', perceptionId)
      .where('embedder', '=', from)
      .where('deleted_at', 'is', null)
      .where((row) => (refit ? hasStill(row, refit, from) : row.lit(true)))
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
    ...fence,
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

function refittedColumns({ to: { similarity, calibration } }: Refit, embedder: string) {
  return {
    decision_similarity: similarity,
    ...(calibration === null ? {} : { calibration: toCalibrationColumn(calibration, embedder) }),
  };
}

/** Whether nobody has changed what a refit was computed from. */
function hasStill(row: ExpressionBuilder<Schema, 'perception'>, { from }: Refit, embedder: string) {
  const { similarity, calibration } = from;
  const isSame = row('decision_similarity', '=', similarity);
  if (calibration === null) return isSame;
  return row.and([isSame, row('calibration', '=', toCalibrationColumn(calibration, embedder))]);
}
