import { type RawBuilder, sql } from 'kysely';
import type { Schema } from '../../storage/schema.js';

/** Rows of a table that belong to an account. */
export interface OwnedRows {
  readonly table: keyof Schema;
  /**
   * Columns that tell one row from another. One where there is one: SQLite 3 misses rows of `(account_id, id) in (…)` where `id` is
   * the rowid and an index has both.
   */
  readonly key: readonly string[];
  /** In the order of an index, so that a batch is found without reading all rows; the key unless given. */
  readonly order?: readonly string[];
  readonly condition: (accountId: number) => RawBuilder<boolean>;
  /** Bytes of the files that a row names, as SQL. */
  readonly bytes?: string;
}

const ofAccount = (accountId: number) => sql<boolean>`account_id = ${accountId}`;
const usersOf = (accountId: number) => sql`(select id from web_user where account_id = ${accountId})`;
const ofUsers = (accountId: number) => sql<boolean>`user_id in ${usersOf(accountId)}`;
const owned = (
  table: keyof Schema,
  key: readonly string[],
  more: Pick<OwnedRows, 'order' | 'bytes'> = {},
): OwnedRows => ({ table, key, condition: ofAccount, ...more });

/**
 * All rows of an account, in the order in which they are deleted: none is left to a cascade, which would delete any number at
 * once. A test walks the tables of the database and fails while one that leads to an account is not here.
 */
export const ownedRows: readonly OwnedRows[] = [
  {
    table: 'web_page_key',
    key: ['hash'],
    condition: (accountId) =>
      sql<boolean>`session_id in (select id from web_session where user_id in ${usersOf(accountId)})`,
  },
  { table: 'web_session', key: ['id'], condition: ofUsers },
  {
    table: 'web_link',
    key: ['id'],
    condition: (accountId) => sql<boolean>`(account_id = ${accountId} or user_id in ${usersOf(accountId)})`,
  },
  owned('job', ['id'], { order: ['account_id', 'created_at', 'id'] }),
  owned('face_not_embedded', ['account_id', 'image_id', 'embedder']),
  owned('face_embedding', ['account_id', 'image_id', 'embedder']),
  owned('face_image', ['account_id', 'id'], { bytes: 'image_bytes' }),
  owned('face_correction', ['account_id', 'id']),
  owned('face_change', ['account_id', 'perception_id', 'change']),
  owned('person', ['account_id', 'id']),
  owned('perception', ['account_id', 'id']),
  owned('dataset_label', ['account_id', 'image_id', 'position']),
  owned('dataset_image', ['account_id', 'id'], { bytes: 'image_bytes' }),
  owned('dataset_class', ['account_id', 'id']),
  owned('dataset', ['account_id', 'id']),
  owned('model_version', ['account_id', 'model_id', 'number'], { bytes: 'bytes' }),
  owned('model', ['account_id', 'id']),
  // Without a key of its own.
  owned('drop_event', ['account_id', 'at', 'file_id', 'what']),
  owned('drop_file_chunk', ['bytes_id', 'offset_bytes'], {
    order: ['account_id', 'bytes_id', 'offset_bytes'],
  }),
  owned('drop_file', ['id'], { order: ['account_id', 'drop_id', 'created_at', 'id'], bytes: 'size_bytes' }),
  owned('drop_folder', ['account_id', 'drop_id', 'path']),
  owned('drop_box', ['account_id', 'id']),
  owned('media_blob', ['blob_id'], {
    order: ['account_id', 'kind', 'created_at', 'blob_id'],
    bytes: 'size_bytes',
  }),
  owned('stream_event', ['account_id', 'seq']),
  owned('stream_track', ['id'], { order: ['account_id', 'started_at', 'id'] }),
  owned('stream_state', ['account_id', 'stream_id']),
  owned('stream_preview', ['account_id', 'stream_id']),
  owned('stream', ['account_id', 'id']),
  owned('stream_output_topic', ['account_id', 'output_id', 'broker', 'topic']),
  owned('stream_output', ['account_id', 'id']),
  owned('stream_frames', ['account_id', 'day']),
  owned('video', ['account_id', 'id']),
  owned('analysis', ['fileid'], {
    order: ['account_id', 'created_at', 'fileid'],
    bytes: 'coalesce(image_bytes, 0)',
  }),
  owned('usage', ['key_id', 'day', 'operation'], { order: ['account_id', 'day', 'key_id', 'operation'] }),
  owned('audit_entry', ['id'], { order: ['account_id', 'id'] }),
  { table: 'web_recovery_code', key: ['user_id', 'hash'], condition: ofUsers },
  { table: 'web_code_counter', key: ['user_id', 'name'], condition: ofUsers },
  owned('web_user', ['id']),
  owned('compat_listener', ['id'], { order: ['account_id', 'id'] }),
  owned('compat_key', ['key_id']),
  owned('api_key', ['id']),
  owned('face_total', ['account_id']),
  owned('account_counter', ['account_id', 'kind']),
];

/** Tables that lead to no account, or whose rows stay, and why. */
export const keptTables: Partial<Readonly<Record<keyof Schema, string>>> = {
  account: 'deleted last, by itself',
  account_deletion: 'the receipt: an id, times and numbers',
  account_deletion_folder: 'how far each data folder was, of the receipt',
  account_deletion_count: 'the numbers of the receipt',
  installation: 'of the service',
  installation_key: 'of the service',
  ftp_certificate: 'of the service',
  sftp_host_key: 'of the service',
  data_folder: 'of the service',
  replica: 'of the service',
  leader_lease: 'of the service',
  throttle: 'digests, forgotten within a day',
  minimum_version: 'of the service',
  lease: 'of the service, for as long as work is under way',
};
