import { TrainingError } from './training-error.js';
import type { TrainingJob } from './training-job.js';

/** @throws TrainingError 'impossible' where a job contradicts itself; what its images show is not looked at. */
export function checkJob(job: TrainingJob): void {
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
