import type { ImageKind } from '@lynceus/engine';
import { number, table, text } from './define-table.js';

export const analysis = table(
  {
    fileid: text().primaryKey(),
    account_id: number().references('account', 'cascade'),
    key_id: number().references('api_key', 'cascade'),
    operation: text(),
    created_at: number(),
    expires_at: number(),
    /** The domain result, models with versions, calibration, thresholds and timings, as JSON. */
    record: text(),
    /** Of the image kept beside it; null where none is. */
    image_bytes: number().orNull(),
    image_kind: text<ImageKind>().orNull(),
    /** What was found and by which models, in a few words; null for one of before these were kept. */
    summary: text().orNull(),
    /** The summary in small letters: the two databases' own ideas of those differ. */
    search_text: text().orNull(),
  },
  {
    indexes: {
      account: ['account_id', 'created_at'],
      expiry: ['expires_at'],
      key: ['key_id'],
      operation: ['account_id', 'operation', 'created_at'],
      search: ['account_id', 'created_at', 'fileid', 'operation', 'expires_at', 'search_text'],
    },
    deleted: { order: ['account_id', 'created_at', 'fileid'], bytes: 'coalesce(image_bytes, 0)' },
  },
);
