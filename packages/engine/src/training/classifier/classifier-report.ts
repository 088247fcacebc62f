import { type Static, Type } from 'typebox';

const Share = Type.Number({ minimum: 0, maximum: 1 });
const ShareOf = Type.Object({
  images: Type.Integer({ minimum: 0 }),
  /** Null where there is no image. */
  share: Type.Union([Share, Type.Null()]),
});
const Interval = Type.Object({ low: Share, high: Share });

export const ClassFigures = Type.Object({
  /** Index into `labels`. */
  label: Type.Integer({ minimum: 0 }),
  /** Images of the class: to train on, and to measure with. */
  trained: Type.Integer({ minimum: 0 }),
  measured: Type.Integer({ minimum: 0 }),
  /** Null where no image was predicted as it, or none shows it. */
  precision: Type.Union([Share, Type.Null()]),
  recall: Type.Union([Share, Type.Null()]),
});
export type ClassFigures = Static<typeof ClassFigures>;

export const Calibration = Type.Object({
  /**
   * Answers by their probability, in tenths: its mean, and the share of them that was right. With `multiLabel` every
   * pair of image and label is an answer.
   */
  bins: Type.Array(
    Type.Object({ from: Share, to: Share, answers: Type.Integer(), probability: Share, right: Share }),
  ),
  /** Expected calibration error: the mean difference of the two, by answers (Naeini et al., AAAI 2015). */
  ece: Share,
});
export type Calibration = Static<typeof Calibration>;

export const ClassifierFigures = Type.Object({
  images: Type.Integer({ minimum: 0 }),
  /** Accuracy: the share of correct images; with `multiLabel`, with all labels correct. */
  accuracy: Share,
  /** 95 % interval of that (Wilson 1927). */
  interval: Interval,
  /**
   * Balanced accuracy: the mean recall over the classes; with `multiLabel` the mean over labels of the recalls of yes and
   * of no.
   */
  balancedAccuracy: Share,
  classes: Type.Array(ClassFigures),
  /** Confusion matrix. Row: the true class; column: the predicted class. Not with `multiLabel`. */
  confusion: Type.Optional(Type.Array(Type.Array(Type.Integer({ minimum: 0 })))),
  calibration: Calibration,
});
export type ClassifierFigures = Static<typeof ClassifierFigures>;

export const Mistake = Type.Object({
  image: Type.String(),
  /** Labels, by index. */
  shown: Type.Array(Type.Integer()),
  answered: Type.Array(Type.Integer()),
  /** Probability of the worst wrong answer; of a label that was missed, one minus its own. */
  score: Share,
  /** Probability of every label. */
  probabilities: Type.Array(Share),
});
export type Mistake = Static<typeof Mistake>;

export const LearningPoint = Type.Object({
  /** Share of the images to train on, and their mean number. */
  share: Share,
  images: Type.Number(),
  balancedAccuracy: Share,
  /** Standard deviation over draws and folds. */
  spread: Type.Number({ minimum: 0 }),
});
export type LearningPoint = Static<typeof LearningPoint>;

/** The report of a classifier's training run; `report.json`. */
export const ClassifierReport = Type.Object({
  kind: Type.Literal('classification'),
  title: Type.String(),
  labels: Type.Array(Type.Object({ id: Type.String(), title: Type.String() })),
  multiLabel: Type.Boolean(),
  noneOfThese: Type.Boolean(),
  backbone: Type.Object({ id: Type.String(), version: Type.String() }),
  seed: Type.Integer(),
  images: Type.Object({
    train: Type.Integer(),
    heldOut: Type.Integer(),
    /** Images that could not be opened, or that lack labels. */
    refused: Type.Array(Type.Object({ id: Type.String(), reason: Type.String() })),
  }),
  /** Images that `figures` and `mistakes` are of: held-out ones, or else cross-validated ones. */
  measuredOn: Type.Union([Type.Literal('held-out'), Type.Literal('cross-validation')]),
  /**
   * The head that was written is fitted to all images after the measurement, the held-out ones too: `figures` are of one that
   * was not fitted to those. Absent in older reports, where both are the same.
   */
  lastFit: Type.Optional(Type.Object({ images: Type.Integer({ minimum: 0 }) })),
  figures: ClassifierFigures,
  /** Also present where images are held out. */
  crossValidated: ClassifierFigures,
  /** The worst first. */
  mistakes: Type.Array(Mistake),
  regularisation: Type.Object({
    lambda: Type.Number(),
    /** Mean loss in nats by cross-validation. */
    tried: Type.Array(Type.Object({ lambda: Type.Number(), loss: Type.Number() })),
    folds: Type.Integer(),
    rounds: Type.Integer(),
    /** Images that it was selected on. */
    images: Type.Integer(),
  }),
  temperature: Type.Number(),
  /** With `multiLabel`: the probability from which each label counts as shown. */
  thresholds: Type.Optional(Type.Array(Share)),
  learningCurve: Type.Array(LearningPoint),
  /**
   * Images that count as unlike the training images (`unlike_training` of .5 or more): of the held-out ones, which should be few,
   * and of the shipped photographs without the labels, by which it is calibrated. Absent where there are too few images for it.
   */
  unlikeTraining: Type.Optional(Type.Object({ heldOut: ShareOf, shipped: ShareOf })),
  /** Which further images would help, as sentences. */
  advice: Type.Array(Type.String()),
  /** What to know before relying on the figures, as sentences. */
  warnings: Type.Array(Type.String()),
  timesMs: Type.Object({
    features: Type.Number(),
    training: Type.Number(),
    measuring: Type.Number(),
    writing: Type.Number(),
  }),
  /** Verification of the written file: the largest difference of a probability. */
  verified: Type.Object({ images: Type.Integer(), largestDifference: Type.Number() }),
});
export type ClassifierReport = Static<typeof ClassifierReport>;
