import { type Static, Type } from 'typebox';

const Share = Type.Number({ minimum: 0, maximum: 1 });
const Count = Type.Integer({ minimum: 0 });

/** In pixels of the oriented image. */
const ReportBox = Type.Object({
  xMin: Type.Number(),
  yMin: Type.Number(),
  xMax: Type.Number(),
  yMax: Type.Number(),
});

/** Precision, recall and F1 at IoU .50 and score 0.4; AP by COCO's protocol. */
const Figures = Type.Object({
  ap50: Share,
  ap: Share,
  precision: Share,
  recall: Share,
  f1: Share,
});
export type DetectorFigures = Static<typeof Figures>;

/**
 * - `missed`: a labelled box without a detection (`expected`, `label`).
 * - `false`: a detection without a labelled box (`found`, `label`, `score`).
 * - `wrong-class`: a correct box with another label (`label` is the predicted one, `expectedLabel` the true one).
 * - `poor-overlap`: the correct label, but the boxes overlap by less than half (IoU .1 to .5).
 */
const Mistake = Type.Object({
  kind: Type.Union([
    Type.Literal('missed'),
    Type.Literal('false'),
    Type.Literal('wrong-class'),
    Type.Literal('poor-overlap'),
  ]),
  image: Type.String(),
  label: Type.String(),
  expectedLabel: Type.Optional(Type.String()),
  score: Type.Optional(Share),
  found: Type.Optional(ReportBox),
  expected: Type.Optional(ReportBox),
});
export type Mistake = Static<typeof Mistake>;

/** The report of a detector's training run. Shares are 0 to 1. */
export const DetectorReport = Type.Object({
  kind: Type.Literal('object_detection'),
  /** How the figures were measured: on held-out images, or by cross-validation. */
  measuredWith: Type.Union([Type.Literal('held-out'), Type.Literal('cross-validation')]),
  learntOf: Type.Object({
    images: Count,
    boxes: Count,
    /** The job's images without a box. */
    backgrounds: Count,
    /** Shipped photographs. */
    shippedBackgrounds: Count,
  }),
  /**
   * The heads that were written are trained after the measurement on all images, the held-out ones too: `overall` and all other
   * figures are of heads that were trained on `learntOf` alone. Absent in older reports, where both are the same.
   */
  lastFit: Type.Optional(Type.Object({ images: Count, boxes: Count })),
  /**
   * Whether found boxes are looked at again by a classifier, which is so where it raises the best F1 of the cross-validation, backgrounds
   * included. Absent where it was not tried, and in older reports.
   */
  secondLook: Type.Optional(Type.Object({ isUsed: Type.Boolean(), f1With: Share, f1Without: Share })),
  /** Images that could not be opened. */
  refused: Type.Array(Type.Object({ id: Type.String(), reason: Type.String() })),
  /** Completely labelled images alone. */
  measuredOn: Type.Object({ images: Count, boxes: Count }),
  overall: Figures,
  /** By label; figures are null where no measured image shows it. */
  labels: Type.Array(
    Type.Object({ label: Type.String(), boxes: Count, figures: Type.Union([Figures, Type.Null()]) }),
  ),
  /**
   * Share of images without the labels that get a box at 0.4: the job's own, and the shipped ones, each by heads that were
   * trained on no view of the same photograph.
   */
  falseBoxes: Type.Object({
    own: Type.Object({ images: Count, share: Type.Union([Share, Type.Null()]) }),
    shipped: Type.Object({ images: Count, share: Type.Union([Share, Type.Null()]) }),
  }),
  /** The worst first. */
  mistakes: Type.Array(Mistake),
  /** Boxes by score: how many, their mean score, and the share of them that is correct. */
  calibration: Type.Array(
    Type.Object({ from: Share, to: Share, boxes: Count, meanScore: Share, rightShare: Share }),
  ),
  /** Learning curve: AP50 by the number of training images; the last is all of them. */
  byImages: Type.Array(Type.Object({ images: Count, ap50: Share })),
  warnings: Type.Array(
    Type.Object({
      code: Type.Union([
        Type.Literal('few-images'),
        Type.Literal('tiny-boxes'),
        Type.Literal('label-not-measured'),
        Type.Literal('label-not-learnt'),
        Type.Literal('unreachable-boxes'),
        Type.Literal('no-shipped-backgrounds'),
        Type.Literal('many-false-boxes'),
        Type.Literal('more-images-help'),
        Type.Literal('partly-labelled'),
        Type.Literal('images-refused'),
      ]),
      /** The meaning, and what to do. */
      message: Type.String(),
    }),
  ),
  seconds: Type.Number({ minimum: 0 }),
});
export type DetectorReport = Static<typeof DetectorReport>;
export type TrainingWarning = DetectorReport['warnings'][number];
