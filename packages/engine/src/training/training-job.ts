import type { Label, ModelRef } from '../catalog/manifest.js';
import type { Box } from '../image/box.js';
import type { ImageLimits } from '../image/image.js';

/** A labelled image. */
export interface TrainingImage {
  /** Stable through runs; it names the image in the report. */
  readonly id: string;
  /** A file of its bytes. */
  readonly path: string;
  /** Of those bytes; features are cached by it. */
  readonly sha256: string;
  /** `held-out` images are only measured with. */
  readonly split: 'train' | 'held-out';
  /**
   * Whether it may show more than its labels say: what they do not name in it is unknown, neither background nor a wrong answer. Absent:
   * its labels are complete.
   */
  readonly isPartlyLabelled?: boolean;
}

export interface ClassifiedImage extends TrainingImage {
  /** Indexes into the job's labels: one, or with `multiLabel` any number; with `noneOfThese` one or none. */
  readonly labels: readonly number[];
}

export interface LabelledBox {
  /** Index into the job's labels. */
  readonly label: number;
  /** In pixels of the oriented image. */
  readonly box: Box;
}

export interface BoxedImage extends TrainingImage {
  /** None: a background image. */
  readonly boxes: readonly LabelledBox[];
}

interface TrainingBasis {
  /** Title of the trained model. */
  readonly title: string;
  /** At least two for classification, unless `noneOfThese` or `multiLabel`; at least one for detection. */
  readonly labels: readonly Label[];
  /** The installed model on whose frozen features the head is trained. */
  readonly backbone: ModelRef;
  readonly limits: ImageLimits;
  /** Features of images, kept from run to run. */
  readonly cacheDir: string;
  /** Folder of the outcome; created by the training, and left empty where it fails. */
  readonly outDir: string;
  /** Seed of everything random. */
  readonly seed: number;
}

export interface ClassifierTraining extends TrainingBasis {
  readonly kind: 'classification';
  readonly images: readonly ClassifiedImage[];
  /** Whether an image may have any number of labels, each with a probability of its own. */
  readonly multiLabel: boolean;
  /**
   * Whether a class is added for images that show none of the others, as the last one. Images without
   * labels are then examples of it; it needs none. Not with `multiLabel`, where none is an answer already.
   */
  readonly noneOfThese: boolean;
}

export interface DetectorTraining extends TrainingBasis {
  readonly kind: 'object_detection';
  readonly images: readonly BoxedImage[];
  /** The installed classifier that looks again at found boxes, where that helps; none unless given. */
  readonly classifier?: ModelRef;
}

export type TrainingJob = ClassifierTraining | DetectorTraining;

export interface TrainingProgress {
  /** `features`, `training`, `measuring` or `writing`. */
  readonly stage: string;
  /** Steps of the stage, a whole number. */
  readonly done: number;
  /** A whole number too. */
  readonly total: number;
  /** Whether the work so far is kept for the next run (features are). */
  readonly isKept: boolean;
}

/**
 * `outDir` then holds `model.onnx` and `manifest.json`, an installed model as inference processes take it, and
 * `report.json`.
 */
export interface TrainingOutcome<Report> {
  /** The trained model; its `dir` is `outDir`. */
  readonly model: ModelRef;
  readonly report: Report;
}
