import { type Compilable, type ExpressionBuilder, type Selectable, sql, type Updateable } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../core/clock.js';
import type { Database } from '../../storage/database.js';
import { refuseUnless } from '../../storage/leases/fence.js';
import { isOfFormer, type LeaseOwner } from '../../storage/leases/lease-owner.js';
import type { Schema } from '../../storage/schema.js';
import { firstPayloadVersion, type Job, type JobProgress } from './job.js';
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

/** One taking of a job. */
export interface JobLease {
  readonly id: string;
  readonly epoch: number;
}

export interface TakenJob {
  readonly job: Job;
  readonly lease: JobLease;
  /** Since something of its work was last kept; 1 at the first. */
  readonly attempts: number;
  /** Of its payload, as it was written. */
  readonly payloadVersion: number;
  /** Whether the service of one data folder alone takes it, since it has the files. */
  readonly isOfFolder: boolean;
}

/** Who works on which job. A lease that is not renewed ends by itself: its owner is dead. */
export type Leases = ReturnType<typeof createLeases>;

interface JobTaken {
  /** That job, if it is due. */
  readonly id?: string;
  /** The newest version of payloads that is known here; the first unless given. */
  readonly payloadVersion?: number;
  /** Accounts that have as many under way as they may. */
  readonly without?: ReadonlySet<number>;
}

interface LeasesDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly owner: LeaseOwner;
  readonly leaseMs: number;
  /** The data folder whose files this service has, where others have their own; null: no job is another folder's. */
  readonly folderUid?: string | null;
}

/** More accounts than have jobs of a kind at once. */
const maxRemembered = 10_000;

export function createLeases(deps: LeasesDeps) {
  const { database, clock, owner, leaseMs, folderUid = null } = deps;
  const { query } = database;
  /** When accounts were served last, as a count of turns; one that is not here was not served for long. */
  const lastServed = new LRUCache<string, number>({ max: maxRemembered });
  let sequence = 0;

  /** The account of those with due jobs that was served longest ago; of new ones, the one whose job is due longest. */
  const nextAccount = async (
    kind: string,
    now: number,
    payloadVersion: number,
    without: ReadonlySet<number> | undefined,
  ): Promise<number | null> => {
    const accounts = await dueAccounts(database, { kind, now, payloadVersion, folderUid });
    const servedAt = (accountId: number) => lastServed.peek(`${kind} ${accountId}`) ?? 0;
    const [next] = accounts
      .filter(({ accountId }) => !without?.has(accountId))
      .sort((a, b) => servedAt(a.accountId) - servedAt(b.accountId) || a.dueAt - b.dueAt);
    if (next === undefined) return null;
    sequence += 1;
    lastServed.set(`${kind} ${next.accountId}`, sequence);
    return next.accountId;
  };

  const isOwn =
    ({ id, epoch }: JobLease) =>
    ({ and }: ExpressionBuilder<Schema, 'job'>) =>
      and({ id, lease_owner: owner.id, lease_epoch: epoch, ended_at: null });
  const held = (lease: JobLease) => query.selectFrom('job').select('id').where(isOwn(lease));
  const mine = (lease: JobLease, change: Updateable<Schema['job']>) =>
    query.updateTable('job').set(change).where(isOwn(lease));
  const free = () => query.updateTable('job').set({ leased_until: null, lease_owner: null });
  return {
    /** From taking or renewing a job on. */
    leaseMs,

    /**
     * The job of a kind that is due longest, of the account that was served longest ago; null when there is none. A queue of
     * one account then holds up no other.
     */
    async take(
      kind: string,
      { id, without, payloadVersion = firstPayloadVersion }: JobTaken = {},
    ): Promise<TakenJob | null> {
      const now = clock();
      const accountId = id === undefined ? await nextAccount(kind, now, payloadVersion, without) : undefined;
      if (accountId === null) return null;
      const isDue = ({ and, or, eb }: ExpressionBuilder<Schema, 'job'>) =>
        and([
          eb('ended_at', 'is', null),
          eb('due_at', '<=', now),
          eb('payload_version', '<=', payloadVersion),
          or([eb('leased_until', 'is', null), eb('leased_until', '<', now)]),
          eb(
            'account_id',
            'not in',
            query.selectFrom('account').select('account.id').where('closed_at', 'is not', null),
          ),
          isHere(folderUid, 'job'),
        ]);
      let due = query.selectFrom('job').select('id').where('kind', '=', kind).where(isDue);
      if (id !== undefined) due = due.where('id', '=', id);
      if (accountId !== undefined) due = due.where('account_id', '=', accountId);
      due = due.orderBy('due_at').limit(1);
      // Read first: looking costs no commit.
      if (accountId === undefined && !(await due.executeTakeFirst())) return null;
      const [taken] = await database.write([
        query
          .updateTable('job')
          .set((row) => ({
            state: 'running',
            attempts: row('attempts', '+', 1),
            lease_owner: owner.id,
            lease_epoch: row('lease_epoch', '+', 1),
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
      const row = taken?.rows[0] as Selectable<Schema['job']> | undefined;
      if (row === undefined) return null;
      return {
        job: toJob(row),
        lease: { id: row.id, epoch: row.lease_epoch },
        attempts: row.attempts,
        payloadVersion: row.payload_version,
        isOfFolder: row.folder_uid !== null,
      };
    },

    /** Writes progress and keeps the lease. False when another has taken the job. */
    async renew(
      lease: JobLease,
      { stage, done, total, secondsLeft = null }: JobProgress,
      isKept: boolean,
    ): Promise<boolean> {
      const leasedUntil = clock() + leaseMs;
      // PostgreSQL refuses fractions, and the lease must not end for them.
      const progress = {
        stage,
        done: Math.floor(done),
        total: total === null ? null : Math.ceil(total),
        seconds_left: secondsLeft === null ? null : Math.ceil(secondsLeft),
      };
      const [renewed] = await database.write([
        mine(lease, { leased_until: leasedUntil, ...progress, ...(isKept ? { attempts: 0 } : {}) }),
      ]);
      return renewed?.changes === 1;
    },

    isHeld: async (lease: JobLease): Promise<boolean> => (await held(lease).executeTakeFirst()) !== undefined,

    // The first keeps its row as it is, and until the commit.
    /** For the end of a unit that a job writes: undoes it, as `not-null`, when another has taken the job. */
    fence: (lease: JobLease): readonly Compilable[] => [
      mine(lease, { lease_epoch: lease.epoch }),
      refuseUnless(database, held(lease)),
    ],

    /** Those of these jobs whose owners want them to end, or whose accounts were closed: nothing is done for such an account. */
    async toEnd(ids: readonly string[]): Promise<readonly { id: string; why: 'cancelled' | 'halted' }[]> {
      if (ids.length === 0) return [];
      const rows = await query
        .selectFrom('job')
        .innerJoin('account', 'account.id', 'job.account_id')
        .select(['job.id', 'cancel_asked'])
        .where('job.id', 'in', ids)
        .where(({ or, eb }) => or([eb('cancel_asked', '=', 1), eb('account.closed_at', 'is not', null)]))
        .execute();
      return rows.map(({ id, cancel_asked }) => ({ id, why: cancel_asked === 1 ? 'cancelled' : 'halted' }));
    },

    /** Without effect when another has taken the job. */
    async end(lease: JobLease, end: JobEnd) {
      if (end.state === 'forgotten') {
        await database.write([query.deleteFrom('job').where(isOwn(lease))]);
        return;
      }
      const left = { lease_owner: null, leased_until: null, seconds_left: null };
      if (end.state === 'waiting') {
        const { state, attempts, error, dueAt } = end;
        await database.write([mine(lease, { ...left, state, attempts, error, due_at: Math.round(dueAt) })]);
        return;
      }
      await database.write([
        mine(lease, {
          ...left,
          state: end.state,
          ended_at: clock(),
          ...(end.state === 'done' ? { result: JSON.stringify(end.result ?? null), error: null } : {}),
          ...(end.state === 'failed' ? { error: end.error } : {}),
        }),
      ]);
    },

    /** Takes all leases from everybody: for a service that is alone on its database, at its start. */
    async endAll() {
      await database.write([free().where('leased_until', 'is not', null)]);
    },

    /** Takes the leases of former services of this data folder from them, at the start of one. */
    async endFormer() {
      if (owner.ofFolder === null) return;
      await database.write([free().where('ended_at', 'is', null).where(isOfFormer(owner, 'lease_owner'))]);
    },
  };
}

/**
 * Whether this service has the files of a job, as far as anybody knows: one of another data folder waits for the service of that
 * folder, unless the folder is gone.
 */
function isHere(folderUid: string | null, job: string) {
  if (folderUid === null) return sql<boolean>`1 = 1`;
  const folder = sql.ref(`${job}.folder_uid`);
  return sql<boolean>`(${folder} is null or ${folder} = ${folderUid}
    or ${folder} not in (select uid from data_folder where retired_at is null))`;
}

interface DueAccount {
  readonly accountId: number;
  /** Of the job that is due longest. */
  readonly dueAt: number;
}

/**
 * Accounts with a job of the kind that may be taken, found by stepping from account to account in the index: what it costs
 * depends on how many accounts there are and not on how many jobs.
 */
async function dueAccounts(
  { query }: Database,
  {
    kind,
    now,
    payloadVersion,
    folderUid,
  }: {
    readonly kind: string;
    readonly now: number;
    readonly payloadVersion: number;
    readonly folderUid: string | null;
  },
): Promise<readonly DueAccount[]> {
  const unfinished = sql`select account_id from job where kind = ${kind} and ended_at is null`;
  const step = (after: ReturnType<typeof sql>) => sql`(${unfinished} ${after} order by account_id limit 1)`;
  return query
    .withRecursive('owner(account_id)', (from) =>
      from.selectNoFrom(sql<number | null>`${step(sql``)}`.as('account_id')).unionAll(
        from
          .selectFrom('owner')
          .select(sql<number | null>`${step(sql`and account_id > owner.account_id`)}`.as('account_id'))
          .where('owner.account_id', 'is not', null),
      ),
    )
    .selectFrom('owner')
    .innerJoin('job', (join) =>
      join.on(
        'job.id',
        '=',
        sql<string>`(
          select id from job as due
          where due.kind = ${kind} and due.account_id = owner.account_id and due.ended_at is null
            and due.due_at <= ${now} and (due.leased_until is null or due.leased_until < ${now})
            and due.payload_version <= ${payloadVersion} and ${isHere(folderUid, 'due')}
          order by due.due_at limit 1)`,
      ),
    )
    .innerJoin('account', 'account.id', 'job.account_id')
    .select(['job.account_id as accountId', 'job.due_at as dueAt'])
    .where('account.closed_at', 'is', null)
    .execute();
}
