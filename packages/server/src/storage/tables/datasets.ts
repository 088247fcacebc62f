import type { ImageKind } from '@lynceus/engine';

/** Labelled images to train with. */
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

export interface DatasetImageTable {
  account_id: number;
  id: number;
  dataset_id: number;
  /** What it was called where it came from; unique nowhere. */
  file_name: string;
  /** The same in small letters: the two databases' own ideas of those differ. */
  search_text: string;
  blob_id: string;
  image_kind: ImageKind;
  image_bytes: number;
  image_sha256: string;
  /** Hexadecimal; images that look alike differ in few of its bits. */
  fingerprint: string;
  /** As it is meant to be seen. */
  width: number;
  height: number;
  /** Whether a user labelled it; without a label then, it shows nothing of the classes. */
  labelled: 0 | 1;
  /** Whether an import lost some of its labels: what they do not name is unknown until a user saves them. */
  partly_labelled: 0 | 1;
  /** Another random number with each change of the labels; 0 before the first one. */
  labels_revision: number;
  /** Null until a training needs it; then it stays. */
  split: 'train' | 'held-out' | null;
  created_at: number;
}

/** A class of an image, or a box in it; boxes in pixels of the image as it is meant to be seen. */
export interface DatasetLabelTable {
  account_id: number;
  image_id: number;
  position: number;
  class_id: number;
  x_min: number | null;
  y_min: number | null;
  x_max: number | null;
  y_max: number | null;
}
