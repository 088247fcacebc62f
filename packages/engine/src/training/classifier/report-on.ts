import type { ClassifiedPicture, ClassifierTraining } from '../training-job.js';
import { adviseOn, warnOf } from './advice.js';
import type { ClassifierReport } from './classifier-report.js';
import { takePictures } from './fit-head.js';
import { stratifiedFolds } from './folds.js';
import type { Classes } from './label-pictures.js';
import { countShown, type Labelled } from './labelled.js';
import { learningCurve, type Split } from './learning-curve.js';
import { measure, type Scored } from './measure.js';
import { findMistakes } from './mistakes.js';
import type { SelectedHead } from './select-head.js';
import { predict } from './trained-head.js';

export interface MeasuredTraining {
  readonly job: ClassifierTraining;
  readonly classes: Classes;
  readonly train: Labelled;
  readonly held: Labelled;
  /** In the order of the rows of `train` and `held`. */
  readonly trainPictures: readonly ClassifiedPicture[];
  readonly heldPictures: readonly ClassifiedPicture[];
  readonly selected: SelectedHead;
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
}

/** The report but for what only writing tells. */
export function reportOn(
  measured: MeasuredTraining,
  onFit: (done: number, total: number) => void,
): Omit<ClassifierReport, 'verified' | 'timesMs'> {
  const { job, classes, train, held, trainPictures, heldPictures, selected, refused } = measured;
  const { trained, thresholds, validation, validated, scored } = selected;
  const trainedCounts = countShown(train.shown, train.classes);
  const crossValidated = measure(scored, trainedCounts);
  const isHeldOut = heldPictures.length > 0;
  const measuredOn = isHeldOut ? 'held-out' : 'cross-validation';
  const judged: Scored = isHeldOut
    ? { ...scored, probabilities: predict(trained, held.features), shown: held.shown }
    : scored;
  const figures = isHeldOut ? measure(judged, trainedCounts) : crossValidated;
  const judgedPictures = isHeldOut ? heldPictures : validated.map((index) => trainPictures[index]);
  const ids = judgedPictures.map((picture) => picture?.id ?? '');
  const curve = learningCurve(
    ...curvePictures(measured),
    { lambda: validation.lambda, seed: job.seed },
    onFit,
  );
  const known = new Set(trainPictures.map(({ sha256 }) => sha256));
  const leaked = heldPictures.filter(({ sha256 }) => known.has(sha256)).map(({ id }) => id);
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
    pictures: { train: trainPictures.length, heldOut: heldPictures.length, refused: [...refused] },
    measuredOn,
    figures,
    crossValidated,
    mistakes: findMistakes(judged, ids),
    regularisation: {
      lambda: validation.lambda,
      tried: [...validation.tried],
      folds: validation.folds,
      rounds: validation.rounds,
      pictures: validated.length,
    },
    temperature: validation.temperature,
    ...(classes.link === 'sigmoid' && { thresholds: [...thresholds] }),
    learningCurve: curve,
    advice: adviseOn(judgement),
    warnings: warnOf(judgement),
  };
}

/** Held-out pictures are measured with where there are any, and folds of the others where not. */
function curvePictures({ job, train, held, selected }: MeasuredTraining): [Labelled, Split[]] {
  const sample = { ...takePictures(train, selected.validated), classes: selected.classes };
  // A single class is always right.
  if (sample.classes < 2 && sample.link === 'softmax') return [sample, []];
  const indexes = sample.shown.map((_, index) => index);
  if (held.shown.length > 0) {
    const test = held.shown.map((_, index) => index + indexes.length);
    return [joinPictures(sample, held), [{ train: indexes, test }]];
  }
  const { folds } = selected.validation;
  const fold = stratifiedFolds(sample.shown, folds, job.seed);
  const splits = Array.from({ length: folds }, (_, held) => ({
    train: indexes.filter((index) => fold[index] !== held),
    test: indexes.filter((index) => fold[index] === held),
  }));
  return [sample, splits.filter(({ train, test }) => train.length > 0 && test.length > 0)];
}

function joinPictures(a: Labelled, b: Labelled): Labelled {
  const data = new Float32Array(a.features.data.length + b.features.data.length);
  data.set(a.features.data);
  data.set(b.features.data, a.features.data.length);
  const rows = a.features.rows + b.features.rows;
  return { ...a, features: { ...a.features, data, rows }, shown: [...a.shown, ...b.shown] };
}
