import type { ClassifiedImage, ClassifierTraining } from '../training-job.js';
import { adviseOn, warnOf } from './advice.js';
import type { ClassifierReport, Mistake } from './classifier-report.js';
import { takeImages } from './fit-head.js';
import { stratifiedFolds } from './folds.js';
import type { Classes } from './label-images.js';
import { countShown, type Labelled } from './labelled.js';
import { learningCurve, type Split } from './learning-curve.js';
import type { Matrix } from './matrix.js';
import { answersOf, measure, type Scored, sameLabels } from './measure.js';
import type { SelectedHead } from './select-head.js';
import { predict } from './trained-head.js';
import { unlikeShare } from './unlike-training.js';

const maxMistakes = 50;

export interface MeasuredTraining {
  readonly job: ClassifierTraining;
  readonly classes: Classes;
  readonly train: Labelled;
  readonly held: Labelled;
  /** In the order of the rows of `train` and `held`. */
  readonly trainImages: readonly ClassifiedImage[];
  readonly heldImages: readonly ClassifiedImage[];
  readonly selected: SelectedHead;
  /** Features of the shipped photographs, where they can be used. */
  readonly backgrounds: Matrix | undefined;
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
}

/** The report without the results of writing the model. */
export function reportOn(
  measured: MeasuredTraining,
  onFit: (done: number, total: number) => void,
): Omit<ClassifierReport, 'verified' | 'timesMs'> {
  const { job, classes, train, held, trainImages, heldImages, selected, refused } = measured;
  const { trained, thresholds, validation, validated, scored } = selected;
  const trainedCounts = countShown(train.shown, train.classes);
  const crossValidated = measure(scored, trainedCounts);
  const isHeldOut = heldImages.length > 0;
  const measuredOn = isHeldOut ? 'held-out' : 'cross-validation';
  const judged: Scored = isHeldOut
    ? { ...scored, probabilities: predict(trained, held.features), shown: held.shown }
    : scored;
  const figures = isHeldOut ? measure(judged, trainedCounts) : crossValidated;
  const judgedImages = isHeldOut ? heldImages : validated.map((index) => trainImages[index]);
  const ids = judgedImages.map((image) => image?.id ?? '');
  const curve = learningCurve(...curveImages(measured), { lambda: validation.lambda, seed: job.seed }, onFit);
  const known = new Set(trainImages.map(({ sha256 }) => sha256));
  const leaked = heldImages.filter(({ sha256 }) => known.has(sha256)).map(({ id }) => id);
  const labels = classes.labels;
  const judgement = {
    labels,
    figures,
    learningCurve: curve,
    measuredOn,
    refused: refused.length,
    leaked,
  } as const;
  return {
    kind: 'classification',
    title: job.title,
    labels: [...labels],
    multiLabel: job.multiLabel,
    noneOfThese: job.noneOfThese,
    backbone: { id: job.backbone.id, version: job.backbone.version },
    seed: job.seed,
    images: { train: trainImages.length, heldOut: heldImages.length, refused: [...refused] },
    measuredOn,
    lastFit: { images: trainImages.length + heldImages.length },
    figures,
    crossValidated,
    mistakes: findMistakes(judged, ids),
    regularisation: {
      lambda: validation.lambda,
      tried: [...validation.tried],
      folds: validation.folds,
      rounds: validation.rounds,
      images: validated.length,
    },
    temperature: validation.temperature,
    ...(classes.link === 'sigmoid' && { thresholds: [...thresholds] }),
    learningCurve: curve,
    ...(trained.unlike && {
      unlikeTraining: {
        heldOut: unlikeShare(trained.unlike, held.features),
        shipped: unlikeShare(trained.unlike, measured.backgrounds ?? noRows),
      },
    }),
    advice: adviseOn(judgement),
    warnings: warnOf(judgement),
  };
}

const noRows: Matrix = { data: new Float32Array(), rows: 0, columns: 0 };

/** Held-out images where there are any, otherwise cross-validation. */
function curveImages({ job, train, held, selected }: MeasuredTraining): [Labelled, Split[]] {
  const sample = { ...takeImages(train, selected.validated), classes: selected.classes };
  // A single class is always correct.
  if (sample.classes < 2 && sample.link === 'softmax') return [sample, []];
  const indexes = sample.shown.map((_, index) => index);
  if (held.shown.length > 0) {
    const test = held.shown.map((_, index) => index + indexes.length);
    return [joinImages(sample, held), [{ train: indexes, test }]];
  }
  const { folds } = selected.validation;
  const fold = stratifiedFolds(sample.shown, folds, job.seed);
  const splits = Array.from({ length: folds }, (_, held) => ({
    train: indexes.filter((index) => fold[index] !== held),
    test: indexes.filter((index) => fold[index] === held),
  }));
  return [sample, splits.filter(({ train, test }) => train.length > 0 && test.length > 0)];
}

function joinImages(a: Labelled, b: Labelled): Labelled {
  const data = new Float32Array(a.features.data.length + b.features.data.length);
  data.set(a.features.data);
  data.set(b.features.data, a.features.data.length);
  const rows = a.features.rows + b.features.rows;
  return { ...a, features: { ...a.features, data, rows }, shown: [...a.shown, ...b.shown] };
}

/** Misclassified images, the most confident mistakes first. @param ids In the order of the rows. */
function findMistakes(scored: Scored, ids: readonly string[]): Mistake[] {
  const { data, columns } = scored.probabilities;
  return ids
    .flatMap((image, row): Mistake[] => {
      const shown = scored.shown[row] ?? [];
      const answered = answersOf(scored, row);
      if (sameLabels(shown, answered)) return [];
      const probabilities = [...data.subarray(row * columns, (row + 1) * columns)];
      const wrong = answered.filter((label) => !shown.includes(label));
      const missed = scored.link === 'sigmoid' ? shown.filter((label) => !answered.includes(label)) : [];
      const score = Math.max(
        ...wrong.map((label) => probabilities[label] ?? 0),
        ...missed.map((label) => 1 - (probabilities[label] ?? 0)),
      );
      return [{ image, shown: [...shown], answered, score, probabilities }];
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, maxMistakes);
}
