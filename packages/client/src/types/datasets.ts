export type DatasetTask = 'classification' | 'object_detection';
export type DatasetSplit = 'train' | 'held-out';

/** Labelled images to train with. */
export interface Dataset {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly task: DatasetTask;
  /** Whether an image may have any number of classes. */
  readonly multi_label: boolean;
  readonly created_at: string;
}

export interface CountedDataset extends Dataset {
  readonly images: number;
  /** Of which somebody said what they show. */
  readonly labelled: number;
  readonly image_bytes: number;
  /** Images to train with, and to measure with. */
  readonly train: number;
  readonly held_out: number;
  /** In the order in which they were added. */
  readonly classes: readonly CountedDatasetClass[];
}

export interface DatasetClass {
  readonly id: number;
  readonly name: string;
}

export interface CountedDatasetClass extends DatasetClass {
  /** That show it. */
  readonly images: number;
  /** Boxes, in object detection. */
  readonly labels: number;
  readonly held_out: number;
}

/** In pixels of the image as it is meant to be seen. */
export interface DatasetBox {
  readonly x_min: number;
  readonly y_min: number;
  readonly x_max: number;
  readonly y_max: number;
}

export interface DatasetLabel {
  readonly class_id: number;
  /** Null in classification. */
  readonly box: DatasetBox | null;
}

export interface DatasetImage {
  readonly id: number;
  readonly dataset_id: number;
  readonly file_name: string;
  readonly image: {
    readonly kind: string;
    readonly width: number;
    readonly height: number;
    readonly bytes: number;
    readonly sha256: string;
  };
  /** Null before the dataset was split. */
  readonly split: DatasetSplit | null;
  /** Null while nobody said what it shows; empty when it shows none of the classes. */
  readonly labels: readonly DatasetLabel[] | null;
  /** Another one with each change of the labels. */
  readonly labels_revision: number;
  readonly created_at: string;
}

/** What became of each image, in the order in which they came. */
export interface AddedImages {
  readonly data: readonly AddedImage[];
}

export interface AddedImage {
  /** Its name, or its address. */
  readonly file: string;
  /** `duplicate`: the dataset has these very bytes, as `image_id`. */
  readonly outcome: 'added' | 'duplicate' | 'refused';
  readonly image_id: number | null;
  /** An image that looks nearly the same. */
  readonly near_duplicate_of: number | null;
  readonly problem: string | null;
  readonly message: string | null;
}

/** What can be wrong with an image, a label or a dataset; docs/datasets.md tells each. */
export type DatasetProblem =
  | 'unreadable'
  | 'not-an-image'
  | 'too-large'
  | 'refused-file'
  | 'dataset-full'
  | 'account-full'
  | 'no-space'
  | 'duplicate'
  | 'near-duplicate'
  | 'leakage'
  | 'tiny-box'
  | 'box-outside'
  | 'box-clipped'
  | 'bad-label'
  | 'unknown-class'
  | 'too-many-labels'
  | 'labels-differ'
  | 'no-labels'
  | 'no-image'
  | 'few-images';

export interface DatasetFindings {
  /** How often each problem was found. */
  readonly counts: Readonly<Record<string, number>>;
  /** The first thousand. */
  readonly findings: readonly DatasetFinding[];
  readonly left_out: number;
}

export interface DatasetFinding {
  readonly problem: DatasetProblem;
  readonly file: string | null;
  readonly image_id: number | null;
  readonly message: string;
}

export interface DatasetSplitCounts {
  /** Images that had no split before. */
  readonly assigned: number;
  readonly train: number;
  readonly held_out: number;
}

/** What was deleted, for good. */
export interface DatasetReceipt {
  readonly images: number;
  readonly labels: number;
  readonly classes: number;
  readonly image_bytes: number;
}

/** What a model takes an image to show. */
export interface LabelSuggestions {
  /** The UID of the model that was asked. */
  readonly model_id: string;
  /** What the dataset has a class of that name for, the surest first; boxes are null in classification. */
  readonly labels: readonly {
    readonly class_id: number;
    readonly box: DatasetBox | null;
    readonly score: number;
  }[];
  /** What it has none for. */
  readonly others: readonly {
    readonly title: string;
    readonly box: DatasetBox | null;
    readonly score: number;
  }[];
}
