import { number, oneOf, table, text } from './define-table.js';

/** A customer's model. */
export const model = table(
  {
    account_id: number().references('account', 'cascade'),
    id: number(),
    uid: text().unique(),
    name: text(),
    description: text(),
    task: oneOf('classification', 'object_detection'),
    /** What it was trained on last. */
    dataset_id: number().orNull(),
    /** The number of the version in use; null before there is one. */
    version: number().orNull(),
    last_version: number().default(0),
    created_at: number(),
    deleted_at: number().orNull(),
  },
  { key: ['account_id', 'id'], deleted: {} },
);

/** Its files are in a folder named by its UID, and never change. */
export const modelVersion = table(
  {
    account_id: number(),
    model_id: number(),
    number: number(),
    uid: text().unique(),
    origin: oneOf('training', 'upload'),
    bytes: number(),
    labels: text(),
    report: text().orNull(),
    job_id: text().orNull().unique(),
    created_at: number(),
    /** 1 where an object gets one label only; the one setting that can be changed. */
    one_label: number().default(0),
  },
  {
    key: ['account_id', 'model_id', 'number'],
    references: { model: { column: 'model_id', table: 'model' } },
    deleted: { bytes: 'bytes' },
  },
);
