import type { Schema } from './schema.js';

/** A column whose values name files of a store. */
export interface FileColumn {
  readonly table: keyof Schema;
  readonly column: string;
  /** SQL that is true of rows whose file is there. */
  readonly condition: string;
  /** Columns of an index behind `account_id`, by which the files of an account are read in pages. */
  readonly order: readonly string[];
}

const always = '1 = 1';

/** Where rows name the files of each store. Zips of imports are not among them: jobs name them, which end within hours. */
export const fileColumns = {
  images: {
    table: 'analysis',
    column: 'fileid',
    condition: 'image_kind is not null',
    order: ['created_at', 'fileid'],
  },
  faces: { table: 'face_image', column: 'blob_id', condition: always, order: ['id'] },
  datasets: { table: 'dataset_image', column: 'blob_id', condition: always, order: ['id'] },
  models: { table: 'model_version', column: 'uid', condition: always, order: ['model_id', 'number'] },
  drops: { table: 'drop_file', column: 'id', condition: always, order: ['drop_id', 'created_at', 'id'] },
  media: {
    table: 'media_blob',
    column: 'blob_id',
    condition: always,
    order: ['kind', 'created_at', 'blob_id'],
  },
} as const satisfies Record<string, FileColumn>;
