import type { Generated } from 'kysely';

/** A drop takes photographs by FTP and delivers them (`drop` is a word of SQL). */
export interface DropTable {
  account_id: number;
  id: number;
  uid: string;
  name: string;
  /** By which its owner logs in; in small letters, unique in the installation. */
  user_name: string;
  /** Its own key: the password, and what its calls count on. */
  key_id: number;
  /** JSON. */
  settings: string;
  /** JSON, without secrets; null where there is none yet. */
  destination: string | null;
  /** JSON, encrypted with the key of the installation. */
  sealed_secrets: string | null;
  created_at: number;
  deleted_at: number | null;
}

/** A folder that a client made in `incoming`. */
export interface DropFolderTable {
  account_id: number;
  drop_id: number;
  /** Names with slashes between them, below `incoming`. */
  path: string;
  /** The path of the folder that it is in; empty for `incoming` itself. */
  parent: string;
  created_at: number;
}

export interface DropFileTable {
  /** Names its bytes too. */
  id: string;
  account_id: number;
  drop_id: number;
  area: DropArea;
  /** The path below the area of the folder that it is in; empty for the area itself. */
  parent: string;
  name: string;
  state: DropFileState;
  size_bytes: number;
  /** Of its analysis. */
  fileid: string | null;
  /** JSON: what was found. */
  labels: string | null;
  /** JSON: the files to be delivered, with the keywords in them. */
  output: string | null;
  delivered_to: string | null;
  /** Why it failed, or failed last; for its owner. */
  error: string | null;
  /** Where in `incoming`, and as what, it came: once it has ended, its location shows neither. Null before. */
  came_parent: string | null;
  came_name: string | null;
  /** Since when its present step fails. */
  failing_since: number | null;
  created_at: number;
  modified_at: number;
  /** Since when it is done or failed. */
  ended_at: number | null;
  /** The data folder that its bytes came to; null for one of before this was written down. */
  folder_uid: string | null;
  /** Who receives it; null while nobody does. */
  lease_owner: Generated<string | null>;
  /** From then on another may end the transfer. */
  leased_until: Generated<number | null>;
  /** Greater with each transfer of it: what an earlier one writes is refused. */
  lease_epoch: Generated<number>;
}
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
export interface DropFileChunkTable {
  /** Of the file, or of bytes that go with it, such as its copy with keywords. */
  bytes_id: string;
  /** Of the first byte within all of them. */
  offset_bytes: number;
  /** Of the object from its beginning; it may have more, where the file was cut shorter. */
  size_bytes: number;
  object_id: string;
  /** Of the object; hexadecimal. Null where the object has more bytes than count. */
  sha256: string | null;
  file_id: string;
  account_id: number;
  created_at: number;
}

/** What happened to a file. */
export interface DropEventTable {
  account_id: number;
  file_id: string;
  at: number;
  what: string;
  detail: string | null;
}

/** One row, or none: the certificate that FTP servers of several services share. */
export interface FtpCertificateTable {
  only: 1;
  /** JSON with `certificate` and `key` in PEM, sealed with the key of the installation. */
  sealed: string;
}

/** One row, or none: the host keys that SFTP servers of several services share. */
export interface SftpHostKeyTable {
  only: 1;
  /** JSON with the private keys in OpenSSH's format, sealed with the key of the installation. */
  sealed: string;
}
