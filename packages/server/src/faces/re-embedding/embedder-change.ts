import type { FaceChainName } from '@lynceus/engine';
import { ServiceError } from '../../core/service-error.js';
import type { Job } from '../../service/jobs/job.js';
import type { Jobs } from '../../service/jobs/jobs.js';
import type { Database } from '../../storage/database.js';
import { StorageError } from '../../storage/storage-error.js';
import type { DeletionReceipt } from '../deletion-receipt.js';
import { embedderOf } from '../embedder-figures.js';
import type { FaceIndex, GalleryRef } from '../index/face-index.js';
import { type LookDeps, missingModels } from '../look-at-faces.js';
import type { Perception } from '../perception.js';
import {
  type EmbedderState,
  type EmbedderStateDeps,
  latestChange,
  readEmbedderState,
  requestOf,
} from './embedder-state.js';
import { type ChangeRequest, reEmbedPerceptionKind } from './re-embed-perception.js';
import { lockImages } from './switch-embedder.js';

/** Vectors in one unit, so that it holds no other writer up. */
const batchSize = 300;

/** Changing the model that describes the faces of a perception. */
export type EmbedderChange = ReturnType<typeof createEmbedderChange>;

export interface EmbedderChangeDeps extends EmbedderStateDeps, Pick<LookDeps, 'installedModel'> {
  readonly database: Database;
  readonly jobs: Pick<Jobs, 'insert' | 'wake' | 'latest' | 'cancel' | 'forget'>;
  readonly index: Pick<FaceIndex, 'drop'>;
}

export function createEmbedderChange(deps: EmbedderChangeDeps) {
  const { database, jobs, storedEmbeddings, index, installedModel } = deps;

  /** An unfinished change is joined by one that wants the same; another one is refused. */
  const isUnderWay = (job: Job | null, wanted: ChangeRequest): boolean => {
    if (job === null || job.endedAt !== null) return false;
    if (job.isCancelAsked) {
      throw new ServiceError(
        'conflict',
        'a change that was cancelled is about to end: ask again in some seconds',
      );
    }
    const { embedder, leaveOut } = requestOf(job);
    if (embedder === wanted.embedder && leaveOut === wanted.leaveOut) return true;
    throw new ServiceError(
      'conflict',
      `a change to ${embedder}${leaveOut ? ' that leaves images out' : ''} is under way: wait for its end or cancel it first`,
    );
  };

  return {
    read: (accountId: number, perception: Pick<Perception, 'id'>): Promise<EmbedderState> =>
      readEmbedderState(deps, accountId, perception),

    /**
     * Begins a change; false when there is nothing to do. Throws `conflict` when another change is under way, or models of
     * the chain are not installed.
     */
    async begin(
      accountId: number,
      perception: Perception,
      { chain, leaveOut }: { readonly chain: FaceChainName; readonly leaveOut: boolean },
    ): Promise<boolean> {
      const absent = missingModels(chain, installedModel);
      if (absent.length > 0) {
        throw new ServiceError(
          'conflict',
          `the chain ${chain} needs models that are not installed: ${absent.join(', ')}; the operator installs them by the command models install`,
        );
      }
      const wanted = { embedder: embedderOf(chain, installedModel), leaveOut };
      const gallery = { accountId, perceptionId: perception.id, embedder: wanted.embedder };
      if (isUnderWay(await latestChange(jobs, accountId, perception), wanted)) return true;
      if (wanted.embedder === perception.embedder && (await storedEmbeddings.countMissing(gallery)) === 0) {
        return false;
      }
      const { statement } = jobs.insert(accountId, {
        kind: reEmbedPerceptionKind,
        subject: String(perception.id),
        payload: wanted,
      });
      // Without leave to leave images out, those that were are tried once more.
      const again = leaveOut ? [] : [storedEmbeddings.forgetLeftOut(gallery)];
      try {
        await database.write([...again, statement]);
      } catch (error) {
        if (!(error instanceof StorageError) || error.code !== 'unique') throw error;
        // Another request started one in between.
        isUnderWay(await latestChange(jobs, accountId, perception), wanted);
      }
      jobs.wake();
      return true;
    },

    /** Ends a change that is under way, soon, and gives up one that is held or failed; what was described is kept. */
    async cancel(accountId: number, perception: Perception) {
      const job = await latestChange(jobs, accountId, perception);
      if (job === null) return;
      if (job.endedAt === null) await jobs.cancel(accountId, job.id);
      // Earlier ones too, that were held before it.
      else await jobs.forget(accountId, reEmbedPerceptionKind, String(perception.id));
      jobs.wake();
    },

    /** Deletes the vectors of embedders not in use. Throws `conflict` during a change. */
    async forgetKept(accountId: number, perception: Perception): Promise<DeletionReceipt> {
      const job = await latestChange(jobs, accountId, perception);
      if (job !== null && job.endedAt === null) {
        throw new ServiceError(
          'conflict',
          'the embedder is being changed, which needs these vectors: wait for its end or cancel it first',
        );
      }
      const of = { accountId, perceptionId: perception.id };
      const kept = await storedEmbeddings.countVectors(of);
      const embeddings = await forgetVectors(database, of);
      for (const { embedder } of kept) {
        if (embedder !== perception.embedder) await index.drop({ ...of, embedder });
      }
      return { people: 0, images: 0, embeddings, corrections: 0, bytes: 0 };
    },
  };
}

/**
 * Deletes what embedders other than the one in use made of a perception's images; answers how many vectors. The one in use
 * is looked up in each unit: should it change meanwhile, no vector of the new one goes.
 */
async function forgetVectors(
  database: Database,
  { accountId, perceptionId }: Omit<GalleryRef, 'embedder'>,
): Promise<number> {
  const { query } = database;
  const inUse = query
    .selectFrom('perception')
    .select('perception.embedder')
    .where('perception.account_id', '=', accountId)
    .where('perception.id', '=', perceptionId);
  for (let [after, embeddings] = [0, 0]; ; ) {
    const images = await query
      .selectFrom('face_image')
      .select('id')
      .where('account_id', '=', accountId)
      .where('perception_id', '=', perceptionId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(batchSize)
      .execute();
    const last = images.at(-1);
    if (last === undefined) return embeddings;
    const ids = images.map(({ id }) => id);
    const [, deleted] = await database.write([
      lockImages(database, accountId),
      query
        .deleteFrom('face_embedding')
        .where('account_id', '=', accountId)
        .where('image_id', 'in', ids)
        .where('embedder', '<>', inUse),
      query
        .deleteFrom('face_not_embedded')
        .where('account_id', '=', accountId)
        .where('image_id', 'in', ids)
        .where('embedder', '<>', inUse),
    ]);
    embeddings += deleted?.changes ?? 0;
    after = last.id;
  }
}
