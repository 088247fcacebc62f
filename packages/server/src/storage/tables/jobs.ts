import { number, oneOf, table, text } from './define-table.js';

/** Work that outlives requests and restarts; see `jobs/`. */
export const job = table(
  {
    id: text().primaryKey(),
    account_id: number().references('account', 'cascade'),
    kind: text(),
    /** What it works on, such as a perception's id; one unfinished job of a kind may be on it. */
    subject: text(),
    payload: text(),
    state: oneOf('waiting', 'running', 'done', 'failed', 'cancelled'),
    /** Since it last got on. */
    attempts: number().default(0),
    due_at: number(),
    lease_owner: text().orNull(),
    /** Until then nobody else takes it. */
    leased_until: number().orNull(),
    cancel_asked: number().default(0),
    stage: text().orNull(),
    done: number().default(0),
    total: number().orNull(),
    result: text().orNull(),
    /** For its owner to read. */
    error: text().orNull(),
    created_at: number(),
    started_at: number().orNull(),
    ended_at: number().orNull(),
    /** Of the stage. */
    seconds_left: number().orNull(),
    /** Greater with each taking: what an earlier taker writes is refused. */
    lease_epoch: number().default(0),
    /** The data folder whose service alone takes it, since it has the files; null: any service does. */
    folder_uid: text().orNull(),
    /** Of the shape of the payload, by its kind: a service that knows only older ones leaves the job. */
    payload_version: number().default(1),
  },
  {
    indexes: {
      due_of_account: { columns: ['kind', 'account_id', 'due_at'], where: 'ended_at is null' },
      ended: ['ended_at'],
      ended_of_account: ['account_id', 'ended_at'],
      newest: ['account_id', 'created_at', 'id'],
      of_account: ['account_id', 'kind', 'created_at', 'id'],
      unfinished: { columns: ['account_id', 'kind', 'subject'], unique: true, where: 'ended_at is null' },
    },
    deleted: { order: ['account_id', 'created_at', 'id'] },
  },
);
