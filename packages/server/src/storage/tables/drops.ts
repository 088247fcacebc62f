import { number, oneOf, table, text } from './define-table.js';

/** A drop takes photographs by FTP and delivers them (`drop` is a word of SQL). */
export const dropBox = table(
  {
    account_id: number().references('account', 'cascade'),
    id: number(),
    uid: text().unique(),
    name: text(),
    /** By which its owner logs in; in small letters, unique in the installation. */
    user_name: text().unique(),
    /** Its own key: the password, and what its calls count on. */
    key_id: number(),
    /** JSON. */
    settings: text(),
    /** JSON, without secrets; null where there is none yet. */
    destination: text().orNull(),
    /** JSON, encrypted with the key of the installation. */
    sealed_secrets: text().orNull(),
    created_at: number(),
    deleted_at: number().orNull(),
  },
  { key: ['account_id', 'id'], deleted: {} },
);

/** A folder that a client made in `incoming`. */
export const dropFolder = table(
  {
    account_id: number(),
    drop_id: number(),
    /** Names with slashes between them, below `incoming`. */
    path: text(),
    /** The path of the folder that it is in; empty for `incoming` itself. */
    parent: text(),
    created_at: number(),
  },
  {
    key: ['account_id', 'drop_id', 'path'],
    references: { drop: { column: 'drop_id', table: 'drop_box' } },
    indexes: { parent: ['account_id', 'drop_id', 'parent', 'path'] },
    deleted: {},
  },
);

export const dropFile = table(
  {
    /** Names its bytes too. */
    id: text().primaryKey(),
    account_id: number(),
    drop_id: number(),
    area: oneOf<DropArea>('incoming', 'done', 'failed'),
    /** The path below the area of the folder that it is in; empty for the area itself. */
    parent: text(),
    name: text(),
    state: oneOf<DropFileState>(
      'receiving',
      'partial',
      'held',
      'arrived',
      'predicted',
      'written',
      'done',
      'failed',
    ),
    size_bytes: number(),
    /** Of its analysis. */
    fileid: text().orNull(),
    /** JSON: what was found. */
    labels: text().orNull(),
    /** JSON: the files to be delivered, with the keywords in them. */
    output: text().orNull(),
    delivered_to: text().orNull(),
    /** Why it failed, or failed last; for its owner. */
    error: text().orNull(),
    /** Where in `incoming`, and as what, it came: once it has ended, its location shows neither. Null before. */
    came_parent: text().orNull(),
    came_name: text().orNull(),
    /** Since when its present step fails. */
    failing_since: number().orNull(),
    created_at: number(),
    modified_at: number(),
    /** Since when it is done or failed. */
    ended_at: number().orNull(),
    /** The data folder that its bytes came to; null for one of before this was written down. */
    folder_uid: text().orNull(),
    /** Who receives it; null while nobody does. */
    lease_owner: text().orNull(),
    /** From then on another may end the transfer. */
    leased_until: number().orNull(),
    /** Greater with each transfer of it: what an earlier one writes is refused. */
    lease_epoch: number().default(0),
  },
  {
    references: { drop: { column: 'drop_id', table: 'drop_box' } },
    indexes: {
      ended: ['account_id', 'drop_id', 'state', 'ended_at'],
      newest: ['account_id', 'drop_id', 'created_at', 'id'],
      path: ['account_id', 'drop_id', 'area', 'parent', 'name', 'created_at'],
      receiving: { columns: ['leased_until'], where: "state = 'receiving'" },
      unfinished: { columns: ['account_id', 'drop_id', 'state'], where: 'ended_at is null' },
      ended_path: {
        columns: ['account_id', 'drop_id', 'area', 'parent', 'name'],
        unique: true,
        where: "area <> 'incoming'",
      },
    },
    deleted: { order: ['account_id', 'drop_id', 'created_at', 'id'], bytes: 'size_bytes' },
  },
);
export type DropArea = 'incoming' | 'done' | 'failed';
export type DropFileState =
  /** A transfer is under way. */
  | 'receiving'
  /** Its transfer was cut; it can be gone on with. */
  | 'partial'
  /** Whole, under a passing name: it arrives when it is renamed. */
  | 'held'
  /** Whole: from here on it is not lost. */
  | 'arrived'
  /** Its analysis is recorded. */
  | 'predicted'
  /** What is to be delivered is on disk. */
  | 'written'
  | 'done'
  | 'failed';

/**
 * Where the bytes of a file are in a bucket: one row for each object, in order and without gaps. A file's bytes are those that its
 * rows name, and no others.
 */
export const dropFileChunk = table(
  {
    /** Of the file, or of bytes that go with it, such as its copy with keywords. */
    bytes_id: text(),
    /** Of the first byte within all of them. */
    offset_bytes: number(),
    /** Of the object from its beginning; it may have more, where the file was cut shorter. */
    size_bytes: number(),
    object_id: text().unique(),
    /** Of the object; hexadecimal. Null where the object has more bytes than count. */
    sha256: text().orNull(),
    file_id: text(),
    account_id: number().references('account', 'cascade'),
    created_at: number(),
  },
  {
    key: ['bytes_id', 'offset_bytes'],
    indexes: { account: ['account_id', 'bytes_id', 'offset_bytes'], file: ['file_id'] },
    deleted: { order: ['account_id', 'bytes_id', 'offset_bytes'] },
  },
);

/** What happened to a file. */
export const dropEvent = table(
  {
    account_id: number(),
    file_id: text().references('drop_file', 'cascade'),
    at: number(),
    what: text(),
    detail: text().orNull(),
  },
  {
    indexes: { account: ['account_id', 'at'], file: ['file_id', 'at'] },
    deleted: { key: ['account_id', 'at', 'file_id', 'what'] },
  },
);

/** One row, or none: the certificate that FTP servers of several services share. */
export const ftpCertificate = table(
  {
    only: number<1>().primaryKey().check('= 1'),
    /** JSON with `certificate` and `key` in PEM, sealed with the key of the installation. */
    sealed: text(),
  },
  { kept: 'of the service' },
);

/** One row, or none: the host keys that SFTP servers of several services share. */
export const sftpHostKey = table(
  {
    only: number<1>().primaryKey().check('= 1'),
    /** JSON with the private keys in OpenSSH's format, sealed with the key of the installation. */
    sealed: text(),
  },
  { kept: 'of the service' },
);
