import { endWithParent } from '../../child-process/end-with-parent.js';
import { EngineError } from '../../errors.js';
import { confineSharp } from '../../image/confine-sharp.js';
import type { TrainingContext } from '../training-context.js';
import { TrainingError, type TrainingErrorCode } from '../training-error.js';
import type { ClassifierTraining, DetectorTraining, TrainingJob, TrainingProgress } from '../training-job.js';
import type { TrainingCommand, TrainingMessage } from './messages.js';

/** The kinds of training. Each writes `outDir` and returns its report. */
export interface Trainings {
  classification(job: ClassifierTraining, context: TrainingContext): Promise<unknown>;
  object_detection(job: DetectorTraining, context: TrainingContext): Promise<unknown>;
}

const progressEveryMs = 250;

/** Main function of a training process: one job, one outcome. To be called by an entry module, once. */
export function runTraining(trainings: Trainings): void {
  endWithParent();
  confineSharp();
  process.once('message', async ({ job, helpers }: TrainingCommand) => {
    const context = { onProgress: reportProgress(), helpers };
    let outcome: TrainingMessage;
    try {
      checkJob(job);
      const report =
        job.kind === 'classification'
          ? await trainings.classification(job, context)
          : await trainings.object_detection(job, context);
      outcome = { type: 'done', report };
    } catch (error) {
      outcome = { type: 'failed', error: publicError(error), detail: describe(error) };
    }
    process.send?.(outcome, undefined, undefined, () => process.exit(0));
  });
}

function reportProgress(): (progress: TrainingProgress) => void {
  let stage = '';
  let sentAt = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const now = performance.now();
    const isDue = now - sentAt >= progressEveryMs;
    if (!isDue && progress.stage === stage && progress.done < progress.total) return;
    stage = progress.stage;
    sentAt = now;
    const message: TrainingMessage = { type: 'progress', progress, rssBytes: process.memoryUsage.rss() };
    process.send?.(message, undefined, undefined, () => {});
  };
}

function publicError(error: unknown): { code: TrainingErrorCode; message: string } {
  if (error instanceof TrainingError) return { code: error.code, message: error.message };
  if (error instanceof EngineError && error.code === 'model-missing') {
    return { code: 'model-missing', message: error.message };
  }
  if (isDiskFull(error)) return { code: 'disk-full', message: 'the disk has no room left for the training' };
  return { code: 'fault', message: 'a fault of the training; the log has its details' };
}

function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isSo = 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
  return isSo || isDiskFull(error.cause);
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const stack = error.stack ?? error.message;
  return error.cause === undefined ? stack : `${stack}\ncaused by ${describe(error.cause)}`;
}

/** @throws TrainingError 'impossible' where a job contradicts itself; its images are not read. */
function checkJob(job: TrainingJob): void {
  const { labels, images } = job;
  const mayBeSingle = job.kind === 'object_detection' || job.multiLabel || job.noneOfThese;
  const least = mayBeSingle ? 1 : 2;
  if (labels.length < least) {
    const shortage = `the training has ${labels.length} of the ${least} labels that it needs at least`;
    refuse(
      labels.length === 1
        ? `${shortage}; add another, or train with "none of these"`
        : `${shortage}; add a class and label images with it`,
    );
  }
  requireUnique(
    labels.map(({ title }) => title),
    'label',
  );
  requireUnique(
    images.map(({ id }) => id),
    'image',
  );
  if (!images.some(({ split }) => split === 'train')) {
    refuse('there is no image to train on: every one is held out; add images');
  }
  for (const image of images) {
    const shown = 'labels' in image ? image.labels : image.boxes.map(({ label }) => label);
    for (const label of shown) {
      if (!Number.isInteger(label) || label < 0 || label >= labels.length)
        refuse(`image ${image.id} has label ${label}; the training has ${labels.length} labels`);
    }
  }
}

function requireUnique(names: readonly string[], kind: string): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) refuse(`there are two ${kind}s "${name}"; give each a name of its own`);
    seen.add(name);
  }
}

function refuse(message: string): never {
  throw new TrainingError('impossible', message);
}
