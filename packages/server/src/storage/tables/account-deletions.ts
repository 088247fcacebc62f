import type { Generated } from 'kysely';

/** The deletion of an account, asked for, under way or done: then it is the receipt. It has no name of anybody. */
export interface AccountDeletionTable {
  id: Generated<number>;
  /** Unique; of an account that there is no longer once `rows_deleted_at` is set. */
  account_id: number;
  asked_kind: 'user' | 'operator';
  /** Of the user. */
  asked_id: number | null;
  asked_at: number;
  /** It does not begin before, and can be taken back until it has begun. */
  due_at: number;
  begun_at: Generated<number | null>;
  rows_deleted_at: Generated<number | null>;
  ended_at: Generated<number | null>;
  /** The service that deletes its rows. */
  lease_owner: Generated<string | null>;
  leased_until: Generated<number | null>;
  /** What it waits for, for operators; null: nothing. */
  waits_for: Generated<string | null>;
}

/** How far the service of a data folder is. */
export interface AccountDeletionFolderTable {
  deletion_id: number;
  folder_uid: string;
  /** Since when no file that rows name is there. */
  named_at: number | null;
  /** Since when nothing of the account is there. */
  ended_at: number | null;
}

/** What was deleted, by kind. */
export interface AccountDeletionCountTable {
  deletion_id: number;
  /** Of files the data folder; empty: rows of the database. */
  folder_uid: string;
  kind: string;
  items: number;
  bytes: number;
}
