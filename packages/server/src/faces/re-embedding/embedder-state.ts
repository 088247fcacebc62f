import type { FaceChainName } from '@lynceus/engine';
import { Value } from 'typebox/value';
import type { Clock } from '../../core/clock.js';
import type { Job } from '../../service/jobs/job.js';
import type { Jobs } from '../../service/jobs/jobs.js';
import type { Database } from '../../storage/database.js';
import { chainNamed, comparableWith, isFormerOf } from '../embedder-figures.js';
import type { Perception } from '../perception.js';
import type { Perceptions } from '../perceptions.js';
import { ChangeRequest, ChangeResult, reEmbedPerceptionKind } from './re-embed-perception.js';
import type { Refit } from './refit-decision.js';
import type { LeftOutImage, StoredEmbeddings } from './stored-embeddings.js';

type ChangeState = 'none' | 'waiting' | 'embedding' | 'held' | 'failed';

export interface EmbeddedBy {
  readonly embedder: string;
  /** Null for an embedder of no chain that there is. */
  readonly chain: FaceChainName | null;
  readonly images: number;
}

/** By what a perception's images are described, and what becomes of a change of it. */
export interface EmbedderState {
  readonly inUse: EmbeddedBy;
  /** Those that have described images too. */
  readonly kept: readonly EmbeddedBy[];
  readonly change: {
    readonly state: ChangeState;
    /** Null where there is no change. */
    readonly wanted: ChangeRequest | null;
    readonly chain: FaceChainName | null;
    /** Images that are described or left out, and all of them. */
    readonly done: number;
    readonly total: number;
    /** Null while nobody knows. */
    readonly secondsLeft: number | null;
    /** Why it failed, or failed last. */
    readonly error: string | null;
  };
  /** How the last change moved a decision point or curve of the perception's own; null where it moved none. */
  readonly refit: Refit | null;
  /** By the embedder that the change wants, or by that in use. */
  readonly leftOut: { readonly count: number; readonly images: readonly LeftOutImage[] };
  /** Corrections by embedders not in use. */
  readonly inactiveCorrections: number;
}

export interface EmbedderStateDeps {
  readonly database: Pick<Database, 'query'>;
  readonly clock: Clock;
  readonly jobs: Pick<Jobs, 'latest'>;
  readonly perceptions: Pick<Perceptions, 'read'>;
  readonly storedEmbeddings: StoredEmbeddings;
}

const leftOutShown = 100;

export async function readEmbedderState(
  { database, clock, jobs, perceptions, storedEmbeddings }: EmbedderStateDeps,
  accountId: number,
  known: Pick<Perception, 'id'>,
): Promise<EmbedderState> {
  const job = await latestChange(jobs, accountId, known);
  // After its job: a change that has ended is seen in the perception.
  const perception = await perceptions.read(accountId, known.id);
  const of = { accountId, perceptionId: perception.id };
  const state = stateOf(job, perception);
  const wanted = job === null || state === 'none' ? null : requestOf(job);
  const embedder = wanted?.embedder ?? perception.embedder;
  const [vectors, missing, leftOut, images, total, inactiveCorrections] = await Promise.all([
    storedEmbeddings.countVectors(of),
    storedEmbeddings.countMissing({ ...of, embedder }),
    storedEmbeddings.countLeftOut({ ...of, embedder }),
    storedEmbeddings.listLeftOut({ ...of, embedder }, leftOutShown),
    countImages(database, accountId, perception),
    countInactive(database, accountId, perception),
  ]);
  const all = vectors.map((counted) => ({ ...counted, chain: chainNamed(counted.embedder) }));
  const { embedder: inUse } = perception;
  return {
    inUse: all.find((found) => found.embedder === inUse) ?? {
      embedder: inUse,
      chain: chainNamed(inUse),
      images: 0,
    },
    kept: all
      .filter((found) => found.embedder !== inUse)
      // No change leads back to an earlier revision.
      .map((found) => (isFormerOf(found.embedder, inUse) ? { ...found, chain: null } : found)),
    change: {
      state,
      wanted,
      chain: wanted === null ? null : chainNamed(wanted.embedder),
      done: Math.max(0, total - missing),
      total,
      secondsLeft: state === 'embedding' && job ? secondsLeft(job, missing, clock()) : null,
      error: wanted === null ? null : (job?.error ?? null),
    },
    refit: refitOf(job),
    leftOut: { count: leftOut, images },
    inactiveCorrections,
  };
}

/** The job of the newest change; null when there was none, or it was given up. */
export function latestChange(
  jobs: Pick<Jobs, 'latest'>,
  accountId: number,
  { id }: Pick<Perception, 'id'>,
): Promise<Job | null> {
  return jobs.latest(accountId, reEmbedPerceptionKind, String(id));
}

export function requestOf(job: Job): ChangeRequest {
  return Value.Parse(ChangeRequest, job.payload);
}

function refitOf(job: Job | null): Refit | null {
  return job?.state === 'done' ? (Value.Parse(ChangeResult, job.result).refit ?? null) : null;
}

async function countInactive(
  { query }: Pick<Database, 'query'>,
  accountId: number,
  { id, embedder }: Perception,
): Promise<number> {
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
    .where('face_correction.embedder', 'not like', comparableWith(embedder))
    .executeTakeFirst();
  return row?.count ?? 0;
}

async function countImages(
  { query }: Pick<Database, 'query'>,
  accountId: number,
  { id }: Perception,
): Promise<number> {
  const row = await query
    .selectFrom('face_image')
    .select((from) => from.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('perception_id', '=', id)
    .executeTakeFirst();
  return row?.count ?? 0;
}

function stateOf(job: Job | null, perception: Perception): ChangeState {
  switch (job?.state) {
    case 'waiting':
      return 'waiting';
    case 'running':
      return 'embedding';
    case 'failed':
      return 'failed';
    case 'done': {
      const isHeld = Value.Parse(ChangeResult, job.result).outcome === 'held';
      return isHeld && requestOf(job).embedder !== perception.embedder ? 'held' : 'none';
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
