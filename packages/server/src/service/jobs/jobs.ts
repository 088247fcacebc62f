import { randomUUID } from 'node:crypto';
import { type Compilable, type Selectable, sql } from 'kysely';
import type { Clock } from '../../core/clock.js';
import { quote } from '../../core/quote.js';
import { ServiceError } from '../../core/service-error.js';
import { createPauses } from '../../core/work-pauses.js';
import type { Database } from '../../storage/database.js';
import { type Page, type PageRequest, toPage } from '../../storage/page.js';
import type { Schema } from '../../storage/schema.js';
import { firstPayloadVersion, type Job } from './job.js';

export interface NewJob {
  readonly kind: string;
  readonly subject: string;
  readonly payload: unknown;
  /** Of the shape of the payload, as the `payload` of its kind has it; the first unless given. */
  readonly payloadVersion?: number;
  /** Nobody begins it before; none unless given. */
  readonly delayMs?: number;
  /** The data folder whose service alone does it; that of this service unless given, null: any. */
  readonly folderUid?: string | null;
}

export interface JobsQuery {
  readonly kind?: string | undefined;
  readonly subject?: string | undefined;
}

/** The jobs of accounts. One of another account is `not_found`, as one that there is not. */
export type Jobs = ReturnType<typeof createJobs>;

export interface JobPosition {
  readonly createdAt: number;
  readonly id: string;
}

const columns = [
  ...(['id', 'account_id', 'kind', 'subject', 'payload', 'state', 'stage', 'done', 'total'] as const),
  ...(['seconds_left', 'cancel_asked', 'error', 'created_at', 'started_at', 'ended_at'] as const),
] as const;
type JobRow = Pick<Selectable<Schema['job']>, (typeof columns)[number] | 'result'>;

/** Characters of a result that is read with its row; a longer one is read by itself, since a page of them takes long to receive. */
const shortLength = 16_384;
const shortResult = sql<string | null>`case when length(result) <= ${shortLength} then result end`;
const isLong = sql<0 | 1>`case when length(result) > ${shortLength} then 1 else 0 end`;

export function createJobs({
  database,
  clock,
  folderUid: ownFolder = null,
}: {
  readonly database: Database;
  readonly clock: Clock;
  /** The data folder that has the files of jobs; null where every service reads them. */
  readonly folderUid?: string | null;
}) {
  const { query } = database;
  const of = (accountId: number) =>
    query
      .selectFrom('job')
      .select([...columns, 'result'])
      .where('account_id', '=', accountId);
  const read = async (accountId: number, id: string): Promise<Job> => {
    const row = await of(accountId).where('id', '=', id).executeTakeFirst();
    if (!row) throw new ServiceError('not_found', `${quote(id)} is not one of your jobs`);
    return toJob(row);
  };
  const readResult = async (accountId: number, id: string) => {
    const rows = query.selectFrom('job').select('result').where('account_id', '=', accountId);
    return (await rows.where('id', '=', id).executeTakeFirst())?.result ?? null;
  };
  let listener = () => {};
  return {
    read,
    /** Looks for work now, and not at the next look: after one was inserted or cancelled. Nothing in a command. */
    wake: () => listener(),
    /** Whoever works on them in this process is called by `wake`. */
    onWake(wake: () => void) {
      listener = wake;
    },

    /**
     * For the unit that makes the job necessary. The unit fails as `unique` while an unfinished one of this kind is on the
     * subject.
     */
    insert(
      accountId: number,
      {
        kind,
        subject,
        payload,
        payloadVersion = firstPayloadVersion,
        delayMs = 0,
        folderUid = ownFolder,
      }: NewJob,
    ): { readonly id: string; readonly statement: Compilable } {
      const id = randomUUID();
      const now = clock();
      const statement = query.insertInto('job').values({
        id,
        account_id: accountId,
        kind,
        subject,
        payload: JSON.stringify(payload),
        payload_version: payloadVersion,
        state: 'waiting',
        due_at: now + delayMs,
        created_at: now,
        folder_uid: folderUid,
      });
      return { id, statement };
    },

    /** The newest first; without the `findings` of their results, of which an import may have a thousand. */
    async list(
      accountId: number,
      { kind, subject }: JobsQuery,
      { limit, after }: PageRequest<JobPosition>,
    ): Promise<Page<Job, JobPosition>> {
      let rows = query
        .selectFrom('job')
        .select([...columns, shortResult.as('result'), isLong.as('is_long')])
        .where('account_id', '=', accountId);
      if (kind !== undefined) rows = rows.where('kind', '=', kind);
      if (subject !== undefined) rows = rows.where('subject', '=', subject);
      if (after !== undefined) {
        rows = rows.where((is) =>
          is.or([
            is('created_at', '<', after.createdAt),
            is.and([is('created_at', '=', after.createdAt), is('id', '<', after.id)]),
          ]),
        );
      }
      const found = await rows
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute();
      const { items, next } = toPage(found, limit, (row) => ({ createdAt: row.created_at, id: row.id }));
      const listed: Job[] = [];
      const pause = createPauses();
      for (const { is_long, ...row } of items) {
        const job = toJob(is_long ? { ...row, result: await readResult(accountId, row.id) } : row);
        listed.push({ ...job, result: withoutFindings(job.result) });
        await pause();
      }
      return { items: listed, next };
    },

    /** The newest of a kind on a subject; null when there was none. */
    async latest(accountId: number, kind: string, subject: string): Promise<Job | null> {
      const row = await of(accountId)
        .where('kind', '=', kind)
        .where('subject', '=', subject)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row ? toJob(row) : null;
    },

    /** The newest of a kind on each of these subjects, by subject. */
    async latestOf(
      accountId: number,
      kind: string,
      subjects: readonly string[],
    ): Promise<ReadonlyMap<string, Job>> {
      if (subjects.length === 0) return new Map();
      const rows = await of(accountId)
        .where('kind', '=', kind)
        .where('subject', 'in', subjects)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return new Map(rows.map((row) => [row.subject, toJob(row)]));
    },

    /** One that nobody works on is cancelled at once, a running one soon, an ended one stays as it is. */
    async cancel(accountId: number, id: string): Promise<Job> {
      const now = clock();
      await database.write([
        query
          .updateTable('job')
          .set((row) => {
            // A lease that ran out is of a program that died.
            const isHeld = row('leased_until', '>=', now);
            return {
              cancel_asked: 1,
              state: row
                .case()
                .when(isHeld)
                .then(row.ref('state'))
                .else('cancelled' as const)
                .end(),
              ended_at: row.case().when(isHeld).then(row.ref('ended_at')).else(now).end(),
            };
          })
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .where('ended_at', 'is', null),
      ]);
      return read(accountId, id);
    },

    /** Deletes those of a kind on a subject that have ended. */
    async forget(accountId: number, kind: string, subject: string) {
      await database.write([
        query
          .deleteFrom('job')
          .where('account_id', '=', accountId)
          .where('kind', '=', kind)
          .where('subject', '=', subject)
          .where('ended_at', 'is not', null),
      ]);
    },
  };
}

function withoutFindings(result: unknown): unknown {
  if (typeof result !== 'object' || result === null || !('findings' in result)) return result;
  const { findings: _, ...rest } = result;
  return rest;
}

export function toJob(row: JobRow): Job {
  return {
    id: row.id,
    accountId: row.account_id,
    kind: row.kind,
    subject: row.subject,
    // Both written by us alone.
    payload: JSON.parse(row.payload),
    result: row.result === null ? null : JSON.parse(row.result),
    state: row.state,
    progress: { stage: row.stage, done: row.done, total: row.total, secondsLeft: row.seconds_left },
    isCancelAsked: row.cancel_asked === 1,
    error: row.error,
    createdAt: row.created_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
  };
}
