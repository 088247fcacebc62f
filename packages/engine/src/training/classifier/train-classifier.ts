import { type ExtractedFeatures, extractFeatures, loadBackbone } from '../extract-features.js';
import { writeReport } from '../out-dir.js';
import { seededRandom, shuffled } from '../seeded-random.js';
import type { TrainingContext } from '../training-context.js';
import type { ClassifiedImage, ClassifierTraining } from '../training-job.js';
import { readPooledBackgrounds } from './backgrounds.js';
import type { ClassifierReport } from './classifier-report.js';
import { takeImages } from './fit-head.js';
import { type Classes, classesOf, requireExamples, shownBy, withoutIncomplete } from './label-images.js';
import type { Labelled } from './labelled.js';
import { type MeasuredTraining, reportOn } from './report-on.js';
import { refitHead, selectHead } from './select-head.js';
import { verifyClassifier, writeClassifier } from './write-classifier.js';

/** Images for the verification of the written file. */
const verifiedImages = 8;

/**
 * Trains a classifier: a regularised softmax head (or a sigmoid a label) on frozen features. Writes `outDir` and
 * returns the report. Deterministic by the job's seed.
 * @throws TrainingError 'impossible', 'model-missing'
 */
export async function trainClassifier(
  given: ClassifierTraining,
  context: TrainingContext,
): Promise<ClassifierReport> {
  const { job, incomplete } = withoutIncomplete(given);
  const classes = classesOf(job);
  requireExamples(job.images, job);
  const clock = startClock();
  const backbone = await loadBackbone(job);
  const extracted = await extractFeatures(job, backbone, context);
  requireExamples(extracted.images, job);
  const split = splitImages(extracted, classes);
  clock.lap('features');

  const reportStage = (stage: string) => (done: number, total: number) =>
    context.onProgress({ stage, done, total, isKept: false });
  const { seed } = job;
  const backgrounds = await readPooledBackgrounds(backbone, job.labels);
  const options = { none: classes.none, seed, backgrounds };
  const selected = selectHead(split.train, options, reportStage('training'));
  clock.lap('training');

  const measured: MeasuredTraining = {
    job,
    classes,
    ...split,
    selected,
    backgrounds,
    refused: [...incomplete, ...extracted.refused],
  };
  const report = reportOn(measured, reportStage('measuring'));
  clock.lap('measuring');

  // What is written is trained on all images; the figures are of the head above, which has not seen those that are held out.
  const trained = split.held.shown.length > 0 ? refitHead(selected, split.all, options) : selected.trained;
  clock.lap('training');

  reportStage('writing')(0, 1);
  const { title, backbone: ref } = job;
  const { labels, link } = classes;
  const { thresholds } = selected;
  const input = backbone.manifest.input;
  const facts = { title, labels, input, backbone: ref, ...(link === 'sigmoid' && { thresholds }) };
  await writeClassifier(job, backbone, trained, facts);
  const { rows, dims } = extracted;
  const withFeatures = extracted.images.map((image, row) => ({
    image,
    features: rows.subarray(row * dims, (row + 1) * dims),
  }));
  const asked = shuffled(withFeatures, seededRandom(seed)).slice(0, verifiedImages);
  const verified = await verifyClassifier(job, backbone, trained, asked);
  clock.lap('writing');
  const whole: ClassifierReport = { ...report, verified, timesMs: clock.times };
  await writeReport(job.outDir, whole);
  reportStage('writing')(1, 1);
  return whole;
}

interface SplitImages {
  readonly all: Labelled;
  readonly train: Labelled;
  readonly held: Labelled;
  readonly trainImages: readonly ClassifiedImage[];
  readonly heldImages: readonly ClassifiedImage[];
}

function splitImages({ images, rows, dims }: ExtractedFeatures, classes: Classes): SplitImages {
  const all: Labelled = {
    features: { data: rows, rows: images.length, columns: dims },
    shown: shownBy(images, classes),
    classes: classes.labels.length,
    link: classes.link,
  };
  const indexes = (split: ClassifiedImage['split']) =>
    images.flatMap((image, index) => (image.split === split ? [index] : []));
  return {
    all,
    train: takeImages(all, indexes('train')),
    held: takeImages(all, indexes('held-out')),
    trainImages: images.filter(({ split }) => split === 'train'),
    heldImages: images.filter(({ split }) => split === 'held-out'),
  };
}

type Lap = keyof ClassifierReport['timesMs'];

function startClock() {
  const times: Record<Lap, number> = { features: 0, training: 0, measuring: 0, writing: 0 };
  let last = performance.now();
  return {
    times,
    lap(name: Lap) {
      const now = performance.now();
      times[name] += Math.round(now - last);
      last = now;
    },
  };
}
