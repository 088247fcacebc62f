import type { ImageKind } from '@lynceus/engine';
import { number, oneOf, real, table, text } from './define-table.js';

/** Labelled images to train with. */
export const dataset = table(
  {
    account_id: number().references('account', 'cascade'),
    id: number(),
    uid: text().unique(),
    name: text(),
    task: oneOf('classification', 'object_detection'),
    multi_label: number<0 | 1>(),
    created_at: number(),
    /** Being deleted: nobody sees it any more. */
    deleted_at: number().orNull(),
  },
  { key: ['account_id', 'id'], deleted: {} },
);

export const datasetClass = table(
  {
    account_id: number(),
    id: number(),
    dataset_id: number(),
    name: text(),
  },
  {
    key: ['account_id', 'id'],
    unique: { name: ['account_id', 'dataset_id', 'name'] },
    references: { dataset: { column: 'dataset_id', table: 'dataset', cascade: true } },
    deleted: {},
  },
);

export const datasetImage = table(
  {
    account_id: number(),
    id: number(),
    dataset_id: number(),
    /** What it was called where it came from; unique nowhere. */
    file_name: text(),
    /** The same in small letters: the two databases' own ideas of those differ. */
    search_text: text(),
    blob_id: text().unique(),
    image_kind: text<ImageKind>(),
    image_bytes: number(),
    image_sha256: text(),
    /** Hexadecimal; images that look alike differ in few of its bits. */
    fingerprint: text(),
    /** As it is meant to be seen. */
    width: number(),
    height: number(),
    /** Whether a user labelled it; without a label then, it shows nothing of the classes. */
    labelled: number<0 | 1>(),
    /** Null until a training needs it; then it stays. */
    split: oneOf('train', 'held-out').orNull(),
    created_at: number(),
    /** Another random number with each change of the labels; 0 before the first one. */
    labels_revision: number().default(0),
    /** Whether an import lost some of its labels: what they do not name is unknown until a user saves them. */
    partly_labelled: number<0 | 1>().default(0),
  },
  {
    key: ['account_id', 'id'],
    unique: { bytes: ['account_id', 'dataset_id', 'image_sha256'] },
    references: { dataset: { column: 'dataset_id', table: 'dataset' } },
    indexes: { of_dataset: ['account_id', 'dataset_id', 'id'] },
    deleted: { bytes: 'image_bytes' },
  },
);

/** A class of an image, or a box in it; boxes in pixels of the image as it is meant to be seen. */
export const datasetLabel = table(
  {
    account_id: number(),
    image_id: number(),
    position: number(),
    class_id: number(),
    x_min: real().orNull(),
    y_min: real().orNull(),
    x_max: real().orNull(),
    y_max: real().orNull(),
  },
  {
    key: ['account_id', 'image_id', 'position'],
    references: {
      class: { column: 'class_id', table: 'dataset_class' },
      image: { column: 'image_id', table: 'dataset_image', cascade: true },
    },
    indexes: { of_class: ['account_id', 'class_id', 'image_id'] },
    deleted: {},
  },
);
