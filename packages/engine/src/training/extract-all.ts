import { EngineError } from '../errors.js';
import type { FeatureSource, FeatureWork } from './feature-source.js';
import { shareOut } from './share-out.js';
import type { TrainingContext } from './training-context.js';
import type { TrainingImage } from './training-job.js';

/** Images with their features, and those that could not be opened. */
export interface Extracted<Image, Kept> {
  readonly images: readonly { readonly image: Image; readonly kept: Kept }[];
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
}

/** Features of the job's images, in their order, from the cache where possible. Closes the source. */
export async function extractAll<Image extends TrainingImage, Kept>(
  job: FeatureWork & { readonly images: readonly Image[] },
  source: FeatureSource<Kept>,
  { onProgress, helpers }: TrainingContext,
): Promise<Extracted<Image, Kept>> {
  const total = job.images.length;
  let reached = 0;
  const report = (done: number) => {
    reached = Math.max(reached, done);
    onProgress({ stage: 'features', done: reached, total, isKept: true });
  };
  if (helpers) await shareOut(job, source, helpers, report);
  const images: { image: Image; kept: Kept }[] = [];
  const refused: { id: string; reason: string }[] = [];
  // What the others left is computed here, for whatever reason they did: errors are the same with any number of processes.
  for (const [index, image] of job.images.entries()) {
    report(index);
    try {
      images.push({ image, kept: (await source.read(image)) ?? (await source.compute(image)) });
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      refused.push({ id: image.id, reason: error.message });
    }
  }
  report(total);
  await source.close();
  return { images, refused };
}
