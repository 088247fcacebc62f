import type { ExpressionBuilder, Selectable, Updateable } from 'kysely';
import type { Clock } from '../clock.js';
import type { Database } from '../storage/database.js';
import type { Schema } from '../storage/schema.js';
import type { JobTable } from '../storage/tables/jobs.js';
import type { Job, JobProgress } from './job.js';
import { toJob } from './jobs.js';

/** How a job that was taken is left. */
export type JobEnd =
  | { readonly state: 'done'; readonly result: unknown }
  | { readonly state: 'failed'; readonly error: string }
  | { readonly state: 'cancelled' }
  /** Done, and nothing is kept of it. */
  | { readonly state: 'forgotten' }
  /** Somebody shall take it again. */
  | {
      readonly state: 'waiting';
      readonly dueAt: number;
      readonly error: string | null;
      /** That count. */
      readonly attempts: number;
    };

export interface TakenJob {
  readonly job: Job;
  /** Since something of its work was last kept; 1 at the first. */
  readonly attempts: number;
}

/** Who works on which job. A lease that is not renewed ends by itself: its owner is dead. */
export interface Leases {
  /** The job of a kind that is due longest, or that one if it is due; null when there is none. */
  take(kind: string, id?: string): Promise<TakenJob | null>;
  /** Writes progress and keeps the lease. False when another has taken the job. */
  renew(id: string, progress: JobProgress, isKept: boolean): Promise<boolean>;
  /** Those of these jobs whose owners want them to end. */
  cancelled(ids: readonly string[]): Promise<readonly string[]>;
  /** Without effect when another has taken the job. */
  end(id: string, end: JobEnd): Promise<void>;
  /** Takes all leases from everybody: for a service that is alone on its database, at its start. */
  endAll(): Promise<void>;
}

export interface LeasesDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** Of this service; no two have the same. */
  readonly owner: string;
  readonly leaseMs: number;
}

export function createLeases({ database, clock, owner, leaseMs }: LeasesDeps): Leases {
  const { query } = database;
  const mine = (id: string, change: Updateable<JobTable>) =>
    database.write([
      query
        .updateTable('job')
        .set(change)
        .where('id', '=', id)
        .where('lease_owner', '=', owner)
        .where('ended_at', 'is', null),
    ]);
  return {
    async take(kind, id) {
      const now = clock();
      const isDue = ({ and, or, eb }: ExpressionBuilder<Schema, 'job'>) =>
        and([
          eb('ended_at', 'is', null),
          eb('due_at', '<=', now),
          or([eb('leased_until', 'is', null), eb('leased_until', '<', now)]),
        ]);
      const ofKind = query.selectFrom('job').select('id').where('kind', '=', kind);
      const due = (id === undefined ? ofKind : ofKind.where('id', '=', id))
        .where(isDue)
        .orderBy('due_at')
        .limit(1);
      // Read first: looking costs no commit.
      if (!(await due.executeTakeFirst())) return null;
      const [taken] = await database.write([
        query
          .updateTable('job')
          .set((row) => ({
            state: 'running',
            attempts: row('attempts', '+', 1),
            lease_owner: owner,
            leased_until: now + leaseMs,
            started_at: row.fn.coalesce('started_at', row.val(now)),
          }))
          .where('id', '=', due)
          // Once more: PostgreSQL chooses the row by what was there when the statement began, and another service may
          // have taken it, or its owner cancelled it, before it is changed.
          .where(isDue)
          .returningAll(),
      ]);
      // A row of this very table.
      const row = taken?.rows[0] as Selectable<JobTable> | undefined;
      return row ? { job: toJob(row), attempts: row.attempts } : null;
    },

    async renew(id, { stage, done, total, secondsLeft = null }, isKept) {
      const [renewed] = await mine(id, {
        leased_until: clock() + leaseMs,
        ...{ stage, done, total, seconds_left: secondsLeft },
        ...(isKept ? { attempts: 0 } : {}),
      });
      return renewed?.changes === 1;
    },

    async cancelled(ids) {
      if (ids.length === 0) return [];
      const rows = await query
        .selectFrom('job')
        .select('id')
        .where('id', 'in', ids)
        .where('cancel_asked', '=', 1)
        .execute();
      return rows.map((row) => row.id);
    },

    async end(id, end) {
      if (end.state === 'forgotten') {
        await database.write([query.deleteFrom('job').where('id', '=', id).where('lease_owner', '=', owner)]);
        return;
      }
      const left = { lease_owner: null, leased_until: null, seconds_left: null };
      if (end.state === 'waiting') {
        const { state, attempts, error, dueAt } = end;
        await mine(id, { ...left, state, attempts, error, due_at: Math.round(dueAt) });
        return;
      }
      await mine(id, {
        ...left,
        state: end.state,
        ended_at: clock(),
        ...(end.state === 'done' ? { result: JSON.stringify(end.result ?? null), error: null } : {}),
        ...(end.state === 'failed' ? { error: end.error } : {}),
      });
    },

    async endAll() {
      await database.write([
        query
          .updateTable('job')
          .set({ leased_until: null, lease_owner: null })
          .where('leased_until', 'is not', null),
      ]);
    },
  };
}
