import type { Label } from '../../catalog/manifest.js';
import { TrainingError } from '../training-error.js';
import type { ClassifiedImage, ClassifierTraining } from '../training-job.js';
import type { Link } from './head-loss.js';

const noneLabel: Label = { id: 'none', title: 'none of these' };

/** The classes of a training run. */
export interface Classes {
  /** Those of the job, and with `noneOfThese` one more at the end. */
  readonly labels: readonly Label[];
  readonly link: Link;
  /** Index of the class "none of these". */
  readonly none: number | undefined;
}

/** @throws TrainingError 'impossible' where the job's images do not have the labels that its kind needs. */
export function classesOf(job: ClassifierTraining): Classes {
  const { labels, multiLabel, noneOfThese } = job;
  if (multiLabel && noneOfThese) {
    refuse(
      '"none of these" is no class where an image may have any number of labels; leave out one of the two',
    );
  }
  if (noneOfThese && labels.some(({ title }) => title === noneLabel.title)) {
    refuse(
      `"${noneLabel.title}" is added by the training; remove the label, and leave its images without any`,
    );
  }
  for (const { id, labels: shown } of job.images) {
    if (multiLabel || shown.length === 1 || (noneOfThese && shown.length === 0)) continue;
    refuse(
      shown.length === 0
        ? `image ${id} shows none of the labels; give it one, or train with "${noneLabel.title}"`
        : `image ${id} has ${shown.length} labels; give it one, or allow any number of labels`,
    );
  }
  return {
    labels: noneOfThese ? [...labels, noneLabel] : labels,
    link: multiLabel ? 'sigmoid' : 'softmax',
    none: noneOfThese ? labels.length : undefined,
  };
}

/**
 * The job without the images that would teach a wrong answer: those that may show classes beyond their labels, where an image without
 * a label shows none of them and one without a second label only one.
 */
export function withoutIncomplete(job: ClassifierTraining) {
  const isIncomplete = ({ isPartlyLabelled, labels }: ClassifiedImage) =>
    isPartlyLabelled === true && (job.multiLabel || labels.length === 0);
  const reason = 'it lacks labels that an import could not read: complete them';
  return {
    job: { ...job, images: job.images.filter((image) => !isIncomplete(image)) },
    incomplete: job.images.filter(isIncomplete).map(({ id }) => ({ id, reason })),
  };
}

/** Classes that each image shows. */
export function shownBy(images: readonly ClassifiedImage[], { none }: Classes): (readonly number[])[] {
  return images.map(({ labels }) => (labels.length === 0 && none !== undefined ? [none] : labels));
}

/** @throws TrainingError 'impossible' where a class has nothing to learn from. */
export function requireExamples(images: readonly ClassifiedImage[], { labels }: ClassifierTraining): void {
  const training = images.filter(({ split }) => split === 'train');
  for (const [index, { title }] of labels.entries()) {
    if (training.some((image) => image.labels.includes(index))) continue;
    refuse(`no image to train on shows "${title}"; add some (10 are a good start) or remove the label`);
  }
}

function refuse(message: string): never {
  throw new TrainingError('impossible', message);
}
