import { type CrossValidation, crossValidate, lambdas } from './cross-validate.js';
import { fitHead, type Head, prepareFeatures, takeImages } from './fit-head.js';
import { stratifiedSample } from './folds.js';
import { countShown, type Labelled } from './labelled.js';
import type { Matrix } from './matrix.js';
import type { Scored } from './measure.js';
import { fitOpenSet, unseenCosines } from './open-set.js';
import { type TrainedHead, toProbabilities } from './trained-head.js';
import { fitUnlikeGate } from './unlike-training.js';

/** Fewer images of a label are not enough for a threshold. */
const leastImages = 5;

/** Maximum of images for selecting decay and temperature: more change little and take long. */
const maxValidated = 600;
/** A logit with probability 0 at any temperature. */
const never = -1e4;

export interface SelectedHead {
  /** Classes with examples: without "none of these" where it has none. */
  readonly classes: number;
  readonly trained: TrainedHead;
  readonly thresholds: readonly number[];
  readonly validation: CrossValidation;
  /** Indexes of the images of the cross-validation, and their cross-validated logits. */
  readonly validated: readonly number[];
  readonly scored: Scored;
}

interface SelectOptions {
  /** Index of the class "none of these"; the last, where it exists. */
  readonly none: number | undefined;
  readonly seed: number;
  /** Features of photographs of other things. */
  readonly backgrounds?: Matrix | undefined;
}

/** Trains a head: decay and temperature by cross-validation, then all images. */
export function selectHead(
  images: Labelled,
  { none, seed, backgrounds }: SelectOptions,
  onFit: (done: number, total: number) => void,
): SelectedHead {
  const hasNoneExamples = none !== undefined && (countShown(images.shown, images.classes)[none] ?? 0) > 0;
  const given = none === undefined || hasNoneExamples ? images : { ...images, classes: none };
  const prepared = prepareFeatures(given.features);
  const validated = stratifiedSample(given.shown, maxValidated, seed);
  const isWhole = validated.length === given.shown.length;
  const sample = isWhole ? given : takeImages(given, validated);
  const validation = crossValidate(sample, seed, onFit, isWhole ? prepared : undefined);
  const fits = validation.rounds * validation.folds * lambdas.length;
  const onIteration = () => onFit(fits - 1, fits);
  const fitted = fitHead(given, validation.lambda, { prepared, onIteration });
  onFit(fits, fits);
  const gate = none === undefined ? undefined : fitOpenSet(given, none);
  const unlike = fitUnlikeGate(given, backgrounds, seed);
  const way = {
    link: given.link,
    temperature: validation.temperature,
    ...(gate && { gate }),
    ...(unlike && { unlike }),
  };
  const pad = gate !== undefined && !hasNoneExamples;
  const logits = pad ? padLogits(validation.logits) : validation.logits;
  const cosines = none === undefined ? undefined : unseenCosines(sample, none);
  const probabilities = toProbabilities(logits, cosines, way);
  const thresholds = given.link === 'sigmoid' ? findThresholds(probabilities, sample) : [];
  return {
    classes: given.classes,
    trained: { head: pad ? padHead(fitted) : fitted, ...way },
    thresholds,
    validation,
    validated,
    scored: { probabilities, shown: sample.shown, link: given.link, thresholds },
  };
}

/**
 * The head of more images of the same kind, with the decay, the temperature and the classes that were selected: what is known
 * of the accuracy of the selected one is then a lower estimate.
 */
export function refitHead(
  { classes, trained, validation }: SelectedHead,
  images: Labelled,
  { none, seed, backgrounds }: SelectOptions,
): TrainedHead {
  // Without examples of "none of these" in the selection there is no such class to fit.
  const usable = images.shown.flatMap(([label = 0], index) =>
    none !== undefined && label >= classes ? [] : [index],
  );
  const given = { ...takeImages(images, usable), classes };
  const fitted = fitHead(given, validation.lambda);
  const gate = none === undefined ? undefined : fitOpenSet(given, none);
  const unlike = fitUnlikeGate(given, backgrounds, seed);
  const isPadded = none !== undefined && classes === none;
  return {
    head: isPadded ? padHead(fitted) : fitted,
    link: trained.link,
    temperature: trained.temperature,
    ...(gate && { gate }),
    ...(unlike && { unlike }),
  };
}

/** An additional last class that only the gate scores. */
function padHead({ weights, bias }: Head): Head {
  const data = new Float64Array(weights.data.length + weights.columns);
  data.set(weights.data);
  return { weights: { ...weights, data, rows: weights.rows + 1 }, bias: Float64Array.of(...bias, never) };
}

function padLogits({ data, rows, columns }: Matrix<Float64Array>): Matrix<Float64Array> {
  const padded = new Float64Array(rows * (columns + 1)).fill(never);
  for (let row = 0; row < rows; row++) {
    padded.set(data.subarray(row * columns, (row + 1) * columns), row * (columns + 1));
  }
  return { data: padded, rows, columns: columns + 1 };
}

/** For each label the probability with the best F1 on cross-validated images, .1 to .9; .5 where they are too few. */
function findThresholds(
  probabilities: Matrix,
  { shown, classes }: Pick<Labelled, 'shown' | 'classes'>,
): number[] {
  return Array.from({ length: classes }, (_, label) => {
    const scored = shown
      .map((labels, row) => ({
        score: probabilities.data[row * classes + label] ?? 0,
        isShown: labels.includes(label),
      }))
      .sort((a, b) => b.score - a.score);
    const positives = scored.filter(({ isShown }) => isShown).length;
    if (positives < leastImages) return 0.5;
    return Math.min(0.9, Math.max(0.1, bestCut(scored, positives)));
  });
}

/** In the middle between the last image above the threshold and the first one below. */
function bestCut(
  scored: readonly { readonly score: number; readonly isShown: boolean }[],
  positives: number,
): number {
  let hits = 0;
  let best = { f1: 0, cut: 0.5 };
  for (const [index, { score, isShown }] of scored.entries()) {
    if (isShown) hits += 1;
    const f1 = (2 * hits) / (index + 1 + positives);
    if (f1 > best.f1) best = { f1, cut: (score + (scored[index + 1]?.score ?? 0)) / 2 };
  }
  return best.cut;
}
