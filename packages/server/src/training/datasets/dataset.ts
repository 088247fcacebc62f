import type { Box, ImageKind } from '@lynceus/engine';

export type DatasetTask = 'classification' | 'object_detection';
export type Split = 'train' | 'held-out';

/** Labelled images to train with. */
export interface Dataset {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly task: DatasetTask;
  /** Whether an image may have any number of classes; of classification alone. */
  readonly multiLabel: boolean;
  readonly createdAt: number;
}

export interface DatasetClass {
  readonly id: number;
  readonly name: string;
}

/** A class of an image, or an object in it. */
export interface ImageLabel {
  readonly classId: number;
  /** In pixels of the image as it is meant to be seen; null in classification. */
  readonly box: Box | null;
}

export interface DatasetImage {
  readonly id: number;
  readonly datasetId: number;
  /** What it was called where it came from; unique nowhere. */
  readonly fileName: string;
  readonly blobId: string;
  readonly kind: ImageKind;
  readonly bytes: number;
  readonly sha256: string;
  /** 32 hexadecimal digits; see `fingerprints.ts`. */
  readonly fingerprint: string;
  /** As it is meant to be seen. */
  readonly width: number;
  readonly height: number;
  readonly split: Split | null;
  /** Whether a user labelled it; without a label then, it shows nothing of the classes. */
  readonly isLabelled: boolean;
  /** Whether an import lost some of its labels: what they do not name is unknown, until a user saves them. */
  readonly isPartlyLabelled: boolean;
  readonly labels: readonly ImageLabel[];
  /** Another one with each change of the labels. */
  readonly labelsRevision: number;
  readonly createdAt: number;
}

/** Of one dataset: so many can be compared with each other within a request. */
export const maxImages = 50_000;
export const maxClasses = 1000;
/** Of one image. */
export const maxLabels = 300;
