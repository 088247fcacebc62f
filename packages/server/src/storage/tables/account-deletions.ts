import { id, number, oneOf, table, text } from './define-table.js';

/** The deletion of an account, asked for, under way or done: then it is the receipt. It has no name of anybody. */
export const accountDeletion = table(
  {
    id: id(),
    /** Unique; of an account that there is no longer once `rows_deleted_at` is set. */
    account_id: number().unique(),
    asked_kind: oneOf('user', 'operator'),
    /** Of the user. */
    asked_id: number().orNull(),
    asked_at: number(),
    /** It does not begin before, and can be taken back until it has begun. */
    due_at: number(),
    begun_at: number().orNull(),
    rows_deleted_at: number().orNull(),
    ended_at: number().orNull(),
    /** The service that deletes its rows. */
    lease_owner: text().orNull(),
    leased_until: number().orNull(),
    /** What it waits for, for operators; null: nothing. */
    waits_for: text().orNull(),
  },
  { kept: 'the receipt: an id, times and numbers' },
);

/** How far the service of a data folder is. */
export const accountDeletionFolder = table(
  {
    deletion_id: number().references('account_deletion', 'cascade'),
    folder_uid: text(),
    /** Since when no file that rows name is there. */
    named_at: number().orNull(),
    /** Since when nothing of the account is there. */
    ended_at: number().orNull(),
  },
  { key: ['deletion_id', 'folder_uid'], kept: 'how far each data folder was, of the receipt' },
);

/** What was deleted, by kind. */
export const accountDeletionCount = table(
  {
    deletion_id: number().references('account_deletion', 'cascade'),
    /** Of files the data folder; empty: rows of the database. */
    folder_uid: text(),
    kind: text(),
    items: number(),
    bytes: number(),
  },
  { key: ['deletion_id', 'folder_uid', 'kind'], kept: 'the numbers of the receipt' },
);
