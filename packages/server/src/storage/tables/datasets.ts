import type { PictureKind } from '@lynceus/engine';

/** Labelled pictures to train with. */
export interface DatasetTable {
  account_id: number;
  id: number;
  uid: string;
  name: string;
  task: 'classification' | 'object_detection';
  multi_label: 0 | 1;
  created_at: number;
  /** Being deleted: nobody sees it any more. */
  deleted_at: number | null;
}

export interface DatasetClassTable {
  account_id: number;
  id: number;
  dataset_id: number;
  name: string;
}

export interface DatasetPictureTable {
  account_id: number;
  id: number;
  dataset_id: number;
  /** What it was called where it came from; unique nowhere. */
  file_name: string;
  /** The same in small letters: the two databases' own ideas of those differ. */
  search_text: string;
  blob_id: string;
  picture_kind: PictureKind;
  picture_bytes: number;
  picture_sha256: string;
  /** Hexadecimal; pictures that look alike differ in few of its bits. */
  fingerprint: string;
  /** As it is meant to be seen. */
  width: number;
  height: number;
  /** Whether somebody said what it shows; without a label then, it shows nothing of the classes. */
  labelled: 0 | 1;
  /** Another random number with each change of the labels; 0 before the first one. */
  labels_revision: number;
  /** Null until a training needs it; then it stays. */
  split: 'train' | 'held-out' | null;
  created_at: number;
}

/** A class of a picture, or a box in it; boxes in pixels of the picture as it is meant to be seen. */
export interface DatasetLabelTable {
  account_id: number;
  picture_id: number;
  position: number;
  class_id: number;
  x_min: number | null;
  y_min: number | null;
  x_max: number | null;
  y_max: number | null;
}
