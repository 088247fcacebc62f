import type { FaceChainName } from '@lynceus/engine';
import { Value } from 'typebox/value';
import type { Clock } from '../../clock.js';
import { ServiceError } from '../../errors/service-error.js';
import type { Job } from '../../jobs/job.js';
import type { Jobs } from '../../jobs/jobs.js';
import type { Database } from '../../storage/database.js';
import { StorageError } from '../../storage/storage-error.js';
import { type DeletionReceipt, emptyReceipt } from '../deletion-receipt.js';
import { chainNamed } from '../embedder-figures.js';
import type { FaceIndex } from '../index/face-index.js';
import { embedderOf, type LookDeps, missingModels } from '../look-at-faces.js';
import type { Perception } from '../perception.js';
import type { Perceptions } from '../perceptions.js';
import { ChangeResult, ChangeWanted, describePerceptionKind } from './describe-perception.js';
import { forgetVectors } from './forget-vectors.js';
import type { LeftOutImage, StoredDescriptions } from './stored-descriptions.js';

export type ChangeState = 'none' | 'waiting' | 'describing' | 'held' | 'failed';

export interface DescribedBy {
  readonly embedder: string;
  /** Null for an embedder of no chain that there is. */
  readonly chain: FaceChainName | null;
  readonly images: number;
}

/** By what a perception's images are described, and what becomes of a change of it. */
export interface EmbedderState {
  readonly inUse: DescribedBy;
  /** Those that have described images too. */
  readonly kept: readonly DescribedBy[];
  readonly change: {
    readonly state: ChangeState;
    /** Null where there is no change. */
    readonly wanted: ChangeWanted | null;
    readonly chain: FaceChainName | null;
    /** Images that are described or left out, and all of them. */
    readonly done: number;
    readonly total: number;
    /** Null while nobody knows. */
    readonly secondsLeft: number | null;
    /** Why it failed, or failed last. */
    readonly error: string | null;
  };
  /** By the embedder that the change wants, or by that in use. */
  readonly leftOut: { readonly count: number; readonly images: readonly LeftOutImage[] };
  /** Corrections by embedders not in use. */
  readonly restingCorrections: number;
}

/** Changing the model that describes the faces of a perception. */
export interface EmbedderChange {
  read(accountId: number, perception: Pick<Perception, 'id'>): Promise<EmbedderState>;
  /**
   * Begins a change; false when there is nothing to do. Throws `conflict` when another change is under way, or models of
   * the chain are not installed.
   */
  begin(
    accountId: number,
    perception: Perception,
    wanted: { readonly chain: FaceChainName; readonly leaveOut: boolean },
  ): Promise<boolean>;
  /** Ends a change that is under way, soon, and gives up one that is held or failed; what was described is kept. */
  cancel(accountId: number, perception: Perception): Promise<void>;
  /** Deletes the vectors of embedders not in use. Throws `conflict` during a change. */
  forgetKept(accountId: number, perception: Perception): Promise<DeletionReceipt>;
}

export interface EmbedderChangeDeps extends Pick<LookDeps, 'installedModel'> {
  readonly database: Database;
  readonly clock: Clock;
  readonly jobs: Pick<Jobs, 'insert' | 'latest' | 'cancel' | 'forget'>;
  readonly perceptions: Pick<Perceptions, 'read'>;
  readonly descriptions: StoredDescriptions;
  readonly index: Pick<FaceIndex, 'drop'>;
  /** Work was inserted or cancelled. */
  readonly wakeJobs: () => void;
}

const leftOutShown = 100;

export function createEmbedderChange(deps: EmbedderChangeDeps): EmbedderChange {
  const { database, clock, jobs, perceptions, descriptions, index, installedModel, wakeJobs } = deps;
  const { query } = database;

  const latest = (accountId: number, { id }: Pick<Perception, 'id'>) =>
    jobs.latest(accountId, describePerceptionKind, String(id));

  const countResting = async (accountId: number, { id, embedder }: Perception) => {
    const row = await query
      .selectFrom('face_correction')
      .innerJoin('person', (join) =>
        join
          .onRef('person.account_id', '=', 'face_correction.account_id')
          .onRef('person.id', '=', 'face_correction.person_id'),
      )
      .select((from) => from.fn.countAll<number>().as('count'))
      .where('face_correction.account_id', '=', accountId)
      .where('person.perception_id', '=', id)
      .where('face_correction.embedder', '<>', embedder)
      .executeTakeFirst();
    return row?.count ?? 0;
  };

  const countImages = async (accountId: number, { id }: Perception) => {
    const row = await query
      .selectFrom('face_image')
      .select((from) => from.fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .where('perception_id', '=', id)
      .executeTakeFirst();
    return row?.count ?? 0;
  };

  /** An unfinished change is joined by one that wants the same; another one is refused. */
  const isUnderWay = (job: Job | null, wanted: ChangeWanted): boolean => {
    if (job === null || job.endedAt !== null) return false;
    if (job.isCancelAsked) {
      throw new ServiceError(
        'conflict',
        'a change that was cancelled is about to end: ask again in some seconds',
      );
    }
    const { embedder, leaveOut } = wantedBy(job);
    if (embedder === wanted.embedder && leaveOut === wanted.leaveOut) return true;
    throw new ServiceError(
      'conflict',
      `a change to ${embedder}${leaveOut ? ' that leaves images out' : ''} is under way: wait for its end or cancel it first`,
    );
  };

  return {
    async read(accountId, known) {
      const job = await latest(accountId, known);
      // After its job: a change that has ended is seen in the perception.
      const perception = await perceptions.read(accountId, known.id);
      const of = { accountId, perceptionId: perception.id };
      const state = stateOf(job, perception);
      const wanted = job === null || state === 'none' ? null : wantedBy(job);
      const embedder = wanted?.embedder ?? perception.embedder;
      const [vectors, missing, leftOut, images, total, restingCorrections] = await Promise.all([
        descriptions.countVectors(of),
        descriptions.countMissing({ ...of, embedder }),
        descriptions.countLeftOut({ ...of, embedder }),
        descriptions.listLeftOut({ ...of, embedder }, leftOutShown),
        countImages(accountId, perception),
        countResting(accountId, perception),
      ]);
      const all = vectors.map((counted) => ({ ...counted, chain: chainNamed(counted.embedder) }));
      const { embedder: inUse } = perception;
      return {
        inUse: all.find((found) => found.embedder === inUse) ?? {
          ...{ embedder: inUse, chain: chainNamed(inUse), images: 0 },
        },
        kept: all.filter((found) => found.embedder !== inUse),
        change: {
          state,
          wanted,
          chain: wanted === null ? null : chainNamed(wanted.embedder),
          done: Math.max(0, total - missing),
          total,
          secondsLeft: state === 'describing' && job ? secondsLeft(job, missing, clock()) : null,
          error: wanted === null ? null : (job?.error ?? null),
        },
        leftOut: { count: leftOut, images },
        restingCorrections,
      };
    },

    async begin(accountId, perception, { chain, leaveOut }) {
      const absent = missingModels(chain, installedModel);
      if (absent.length > 0) {
        throw new ServiceError(
          'conflict',
          `the chain ${chain} needs models that are not installed: ${absent.join(', ')}; the operator installs them by the command models install`,
        );
      }
      const wanted = { embedder: embedderOf(chain, installedModel), leaveOut };
      const gallery = { accountId, perceptionId: perception.id, embedder: wanted.embedder };
      if (isUnderWay(await latest(accountId, perception), wanted)) return true;
      if (wanted.embedder === perception.embedder && (await descriptions.countMissing(gallery)) === 0) {
        return false;
      }
      const { statement } = jobs.insert(accountId, {
        kind: describePerceptionKind,
        subject: String(perception.id),
        payload: wanted,
      });
      // Without leave to leave images out, those that were are tried once more.
      const again = leaveOut ? [] : [descriptions.forgetLeftOut(gallery)];
      try {
        await database.write([...again, statement]);
      } catch (error) {
        if (!(error instanceof StorageError) || error.code !== 'unique') throw error;
        // Somebody else began one in between.
        isUnderWay(await latest(accountId, perception), wanted);
      }
      wakeJobs();
      return true;
    },

    async cancel(accountId, perception) {
      const job = await latest(accountId, perception);
      if (job === null) return;
      if (job.endedAt === null) await jobs.cancel(accountId, job.id);
      // Earlier ones too, that were held before it.
      else await jobs.forget(accountId, describePerceptionKind, String(perception.id));
      wakeJobs();
    },

    async forgetKept(accountId, perception) {
      const job = await latest(accountId, perception);
      if (job !== null && job.endedAt === null) {
        throw new ServiceError(
          'conflict',
          'the embedder is being changed, which needs these vectors: wait for its end or cancel it first',
        );
      }
      const of = { accountId, perceptionId: perception.id };
      const kept = await descriptions.countVectors(of);
      const embeddings = await forgetVectors(database, of);
      for (const { embedder } of kept) {
        if (embedder !== perception.embedder) await index.drop({ ...of, embedder });
      }
      return { ...emptyReceipt, embeddings };
    },
  };
}

function wantedBy(job: Job): ChangeWanted {
  return Value.Parse(ChangeWanted, job.payload);
}

function stateOf(job: Job | null, perception: Perception): ChangeState {
  switch (job?.state) {
    case 'waiting':
      return 'waiting';
    case 'running':
      return 'describing';
    case 'failed':
      return 'failed';
    case 'done': {
      const isHeld = Value.Parse(ChangeResult, job.result).outcome === 'held';
      return isHeld && wantedBy(job).embedder !== perception.embedder ? 'held' : 'none';
    }
    default:
      return 'none';
  }
}

/** By the pace since it began; a service that stood still meanwhile makes it look slow. */
function secondsLeft({ startedAt, progress }: Job, missing: number, nowMs: number): number | null {
  if (startedAt === null || progress.done === 0) return null;
  return Math.ceil((((nowMs - startedAt) / progress.done) * missing) / 1000);
}
