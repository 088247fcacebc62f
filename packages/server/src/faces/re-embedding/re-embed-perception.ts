import { EngineError } from '@lynceus/engine';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { ServiceError } from '../../core/service-error.js';
import { type Job, type JobControl, JobFailure, type JobKind } from '../../service/jobs/job.js';
import type { Database } from '../../storage/database.js';
import type { FaceIndex, GalleryRef } from '../index/face-index.js';
import type { Perception } from '../perception.js';
import type { Perceptions } from '../perceptions.js';
import type { ProposeCalibration } from '../propose-calibration.js';
import type { EmbedImage } from './embed-image.js';
import { needsRefit, Refit, refitDecision } from './refit-decision.js';
import type { ImageToEmbed, StoredEmbeddings } from './stored-embeddings.js';
import { switchEmbedder } from './switch-embedder.js';

export const reEmbedPerceptionKind = 're-embed-perception';

export const ChangeRequest = Type.Object({
  embedder: Type.String(),
  /** Whether to change although images stay without a vector. */
  leaveOut: Type.Boolean(),
});
export type ChangeRequest = Static<typeof ChangeRequest>;

/** How a change of the embedder ended. */
export const ChangeResult = Type.Object({
  outcome: Type.Enum([
    'changed',
    /** Some images cannot be described, and nobody said to leave them out. */
    'held',
    /** The perception was deleted. */
    'gone',
  ]),
  /** What became of its own decision point and curve, where it had one. */
  refit: Type.Optional(Refit),
});
export type ChangeResult = Static<typeof ChangeResult>;

export interface ReEmbedPerceptionDeps {
  readonly database: Database;
  readonly perceptions: Pick<Perceptions, 'read'>;
  readonly storedEmbeddings: StoredEmbeddings;
  readonly embedImage: EmbedImage;
  readonly index: Pick<FaceIndex, 'prepare' | 'drop'>;
  readonly proposeCalibration: ProposeCalibration;
  /** Called as a change advances; failures are reported by the jobs. */
  readonly onChange: (gallery: GalleryRef, event: ChangeEvent, refit?: Refit) => void;
}

export type ChangeEvent = 'begun' | 'held' | 'changed';

const maxAttempts = 8;
/** Images at once in one service: with one, half of a second waits for the disk; more would crowd out people. */
const imagesAtOnce = 2;
/** From so many failures in a row on, the fault is not the images'. */
const maxFailuresInRow = 5;

/**
 * Describes the images of a perception by another embedder, beside the one in use, then makes that the one in use: at
 * once, and only when no image is missing. Each start looks for the images that are left, so that it resumes where it was.
 */
export function createReEmbedPerception(deps: ReEmbedPerceptionDeps): JobKind {
  const { database, perceptions, storedEmbeddings, index, onChange } = deps;

  const find = async (job: Job): Promise<Perception | null> => {
    try {
      return await perceptions.read(job.accountId, Number(job.subject));
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'invalid_model') return null;
      throw error;
    }
  };

  const change = async (job: Job, control: JobControl): Promise<ChangeResult> => {
    const { embedder, leaveOut } = Value.Parse(ChangeRequest, job.payload);
    const gallery = { accountId: job.accountId, perceptionId: Number(job.subject), embedder };
    if (job.progress.stage === null) onChange(gallery, 'begun');
    for (let done = job.progress.done; ; ) {
      control.signal.throwIfAborted();
      const perception = await find(job);
      if (perception === null) return { outcome: 'gone' };
      const missing = await storedEmbeddings.countMissing(gallery);
      if (missing === 0) {
        if (perception.embedder === embedder) return { outcome: 'changed' };
        if (!leaveOut && (await storedEmbeddings.countLeftOut(gallery)) > 0) {
          onChange(gallery, 'held');
          return { outcome: 'held' };
        }
        // Searches by the new embedder begin with the change, and shall not wait for it to be read.
        await index.prepare(gallery);
        const of = { accountId: job.accountId, perceptionId: perception.id };
        const from = perception.embedder;
        const refit = await refitFor(deps, job.accountId, perception, embedder);
        if (
          await switchEmbedder(database, {
            ...of,
            from,
            to: embedder,
            jobId: job.id,
            refit,
            fence: control.fence,
          })
        ) {
          onChange(gallery, 'changed', refit);
          await index.drop({ ...of, embedder: from });
          return { outcome: 'changed', ...(refit && { refit }) };
        }
        if ((await storedEmbeddings.countMissing(gallery)) > 0) continue;
        if (isChanged(perception, await find(job))) continue;
        // A user canceled the job, or deleted the perception, or another service has the job now.
        if ((await find(job)) !== null) throw new Error('the change was given up meanwhile');
        continue;
      }
      done = await embedAll(deps, gallery, control, { done, missing });
    }
  };

  return {
    kind: reEmbedPerceptionKind,
    maxAttempts,
    concurrency: 1,
    async run(job, control) {
      try {
        return await change(job, control);
      } catch (error) {
        control.signal.throwIfAborted();
        if (!(error instanceof ServiceError)) {
          // Its own words may name what is ours, and the job's owner reads them.
          throw new Error('the service failed at it, and its log says why', { cause: error });
        }
        if (!isModelMissing(error)) throw error;
        throw new JobFailure('models are not installed: when the operator has installed them, ask again', {
          cause: error,
        });
      }
    },
  };
}

/** Undefined where the perception has no decision point or curve of its own, or gets a model of another kind. */
async function refitFor(
  { proposeCalibration }: ReEmbedPerceptionDeps,
  accountId: number,
  perception: Perception,
  to: string,
): Promise<Refit | undefined> {
  if (!needsRefit({ perception, to })) return undefined;
  try {
    const before = await proposeCalibration(accountId, perception);
    const after = await proposeCalibration(accountId, { id: perception.id, embedder: to });
    return refitDecision({ perception, to, own: { before, after } });
  } catch (error) {
    // Too few people, or people that cannot be distinguished: then the figures of the embedders decide.
    if (!(error instanceof ServiceError) || error.code !== 'conflict') throw error;
    return refitDecision({ perception, to, own: null });
  }
}

function isChanged(before: Perception, now: Perception | null): boolean {
  const of = ({ embedder, decisionSimilarity, calibration }: Perception) =>
    JSON.stringify([embedder, decisionSimilarity, calibration]);
  return now !== null && of(now) !== of(before);
}

function isModelMissing({ cause }: ServiceError): boolean {
  return cause instanceof EngineError && cause.code === 'model-missing';
}

/** Answers how many images are done now. */
async function embedAll(
  { storedEmbeddings, embedImage }: ReEmbedPerceptionDeps,
  gallery: GalleryRef,
  { signal, progress, fence }: JobControl,
  known: { readonly done: number; readonly missing: number },
): Promise<number> {
  const total = known.done + known.missing;
  let { done } = known;
  let failures = 0;
  progress({ stage: 'embedding', done, total });
  const embedOne = async (image: ImageToEmbed) => {
    const embedded = await embedImage(image, gallery, signal);
    if ('vector' in embedded) {
      failures = 0;
      await storedEmbeddings.keepVector(gallery, image, embedded, fence);
    } else {
      failures = embedded.reason === 'analysis-failed' ? failures + 1 : 0;
      if (failures === maxFailuresInRow) throw new Error('image after image could not be analysed');
      await storedEmbeddings.leaveOut(gallery, { imageId: image.id, reason: embedded.reason }, fence);
    }
    done += 1;
    progress({ stage: 'embedding', done, total: Math.max(total, done) }, true);
  };
  const images = storedEmbeddings.missing(gallery);
  const worker = async () => {
    for await (const image of images) {
      signal.throwIfAborted();
      await embedOne(image);
    }
  };
  // When one fails, the others end their image first: nothing is written after this has ended.
  const ends = await Promise.allSettled(Array.from({ length: imagesAtOnce }, worker));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return done;
}
