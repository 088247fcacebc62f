import { setTimeout as sleep } from 'node:timers/promises';
import { ChildHost } from '../child-process/child-host.js';
import { findDeathGuard } from '../child-process/death-guard.js';
import { EngineError } from '../errors.js';
import type { FeatureSource, FeatureWork } from './feature-source.js';
import type { FeatureAnswer, FeatureCommand } from './process/messages.js';
import type { HelperLimits } from './training-context.js';
import type { TrainingImage } from './training-job.js';

/** Images without features for each of them: for fewer, a start of .8 seconds of CPU would take most of what it saves. */
const imagesForOne = 50;
/** So many are sent to each: the next one is there when one is done. */
const sentAtOnce = 2;
/** For what each of them still has at the end. On a busy machine they may stand still: then it is computed here once more. */
const defaultGraceMs = 1000;

/**
 * Lets several processes, of which this is one, compute the features that the cache lacks. They take one image after the other, so
 * that a slow one delays nobody. What a process that ends early or stands still had been given is left out, and so is what cannot be
 * opened.
 * @param onKept Called with the number of images that have features.
 * @throws whatever else `source` throws, a full disk for example; the processes are gone by then.
 */
export async function shareOut(
  { images, ...job }: FeatureWork & { readonly images: readonly TrainingImage[] },
  source: FeatureSource<unknown>,
  { most, maxRssBytes }: HelperLimits,
  onKept: (count: number) => void,
  graceMs = defaultGraceMs,
): Promise<void> {
  const missing: TrainingImage[] = [];
  for (const image of images) if (!(await source.has(image))) missing.push(image);
  const count = Math.min(most, Math.floor(missing.length / imagesForOne));
  if (count < 1) return;
  const guard = await findDeathGuard();
  const waiting = missing.values();
  let kept = images.length - missing.length;
  let isOver = false;
  const keepOne = () => {
    kept += 1;
    if (!isOver) onKept(kept);
  };
  const helpers: ChildHost[] = [];
  try {
    for (let started = 0; started < count; started += 1) {
      const helper = startHelper(job, guard, waiting, keepOne);
      helper.watch({ maxRssBytes }, () => undefined);
      helpers.push(helper);
    }
    for (const image of waiting) if (await tryToCompute(source, image)) keepOne();
    await Promise.race([allGone(helpers), sleep(graceMs, undefined, { ref: false })]);
  } finally {
    isOver = true;
    for (const helper of helpers) helper.kill();
    await allGone(helpers);
  }
}

/** It inherits the priority of this process, ends with it, and by itself when no image waits. */
function startHelper(
  { kind, backbone, limits, cacheDir }: FeatureWork,
  guard: readonly string[],
  waiting: Iterator<TrainingImage>,
  onKept: () => void,
): ChildHost {
  let given = 0;
  const child = new ChildHost({
    entry: new URL('./process/features.js', import.meta.url),
    guard,
    output: 'stderr',
    onMessage(message) {
      given -= 1;
      if ((message as FeatureAnswer).isKept) onKept();
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
  for (let sent = 0; sent < sentAtOnce; sent += 1) giveNext();
  if (given === 0) child.disconnect();
  return child;
}

/** False where the image cannot be opened. */
export function tryToCompute(source: FeatureSource<unknown>, image: TrainingImage): Promise<boolean> {
  return source.compute(image).then(
    () => true,
    (error: unknown) => {
      if (error instanceof EngineError) return false;
      throw error;
    },
  );
}

async function allGone(helpers: readonly ChildHost[]): Promise<void> {
  await Promise.all(helpers.map(({ exited }) => exited));
}
