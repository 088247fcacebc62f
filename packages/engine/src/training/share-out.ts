import { setTimeout as sleep } from 'node:timers/promises';
import { ChildHost } from '../child-process/child-host.js';
import { EngineError } from '../errors.js';
import type { FeatureSource } from './feature-source.js';
import type { FeatureCommand } from './process/messages.js';
import type { TrainingImage, TrainingJob } from './training-job.js';

/** What features are of and computed with, without the images. */
export type FeatureWork = Pick<TrainingJob, 'kind' | 'backbone' | 'limits' | 'cacheDir'>;

/** Processes that may compute features beside the one of the training. */
export interface HelperLimits {
  readonly most: number;
  /** Resident bytes above which one of them is killed. */
  readonly maxRssBytes: number;
}

/** Images without features for each of them: for fewer, a start of .8 seconds of CPU would take most of what it saves. */
const imagesForOne = 50;
/** For what each of them still has at the end. On a busy machine they may stand still: then it is computed here once more. */
const graceMs = 1000;
/** Of each process: while one is in the graph, another is decoded or written. */
const atOnce = 2;

/**
 * Lets several processes, of which this is one, compute the features that the cache lacks. They take one image after the other, so
 * that a slow one delays nobody. What a process that ends early or stands still had been given is left out, and so is what cannot be
 * opened.
 * @param onDone Called with the number of images that have features, or cannot be opened.
 * @throws whatever else `source` throws, a full disk for example; the processes are gone by then.
 */
export async function shareOut(
  { images, ...job }: FeatureWork & { readonly images: readonly TrainingImage[] },
  source: FeatureSource<unknown>,
  { most, maxRssBytes }: HelperLimits,
  onDone: (count: number) => void,
): Promise<void> {
  const missing: TrainingImage[] = [];
  for (const image of images) if (!(await source.has(image))) missing.push(image);
  const count = Math.min(most, Math.floor(missing.length / imagesForOne));
  if (count < 1) return;
  let done = images.length - missing.length;
  const finishOne = () => onDone(++done);
  const waiting = missing.values();
  const helpers = Array.from({ length: count }, () => startHelper(job, waiting, finishOne));
  for (const helper of helpers) helper.watch({ maxRssBytes }, () => undefined);
  const computeHere = async () => {
    for (const image of waiting) {
      await source.compute(image).catch(ignoreUnopened);
      finishOne();
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, computeHere));
    const exited = Promise.all(helpers.map((helper) => helper.exited));
    await Promise.race([exited, sleep(graceMs, undefined, { ref: false })]);
  } finally {
    for (const helper of helpers) helper.kill();
  }
}

/** It inherits the priority of this process, ends with it, and by itself when no image waits. */
function startHelper(
  { kind, backbone, limits, cacheDir }: FeatureWork,
  waiting: Iterator<TrainingImage>,
  onDone: () => void,
): ChildHost {
  let given = 0;
  const child = new ChildHost({
    entry: new URL('./process/features.js', import.meta.url),
    output: 'stderr',
    onMessage() {
      given -= 1;
      onDone();
      giveNext();
      if (given === 0) child.disconnect();
    },
  });
  const giveNext = () => {
    const next = waiting.next();
    if (next.done) return;
    given += 1;
    const { id, path, sha256, split } = next.value;
    child.send({ image: { id, path, sha256, split } } satisfies FeatureCommand);
  };
  child.send({ work: { kind, backbone, limits, cacheDir } } satisfies FeatureCommand);
  for (let sent = 0; sent < atOnce; sent += 1) giveNext();
  if (given === 0) child.disconnect();
  return child;
}

function ignoreUnopened(error: unknown): void {
  if (!(error instanceof EngineError)) throw error;
}
