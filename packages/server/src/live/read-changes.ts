import type { Selectable } from 'kysely';
import type { Clock } from '../core/clock.js';
import { dropFileKind } from '../drops/files/file-jobs.js';
import { toJob } from '../service/jobs/jobs.js';
import type { Database } from '../storage/database.js';
import type { Schema } from '../storage/schema.js';
import type { Change } from './change.js';
import { createStreamChangeReader } from './read-stream-changes.js';

/** What changed since the last look; the first tells nothing, it only sees how things stand. */
export type ReadChanges = () => Promise<readonly Change[]>;

/** How far a look goes back behind the one before: the longest that a commit takes, or that two services' clocks differ. */
const overlapMs = 5000;
/** Of one kind at a look; of more, a page does better to read its lists again. */
const maxOfKind = 200;

/** Follows the tables of one account, whichever service changes them. */
export function createChangeReader(
  deps: { readonly database: Pick<Database, 'query'>; readonly clock: Clock },
  accountId: number,
): ReadChanges {
  const { database, clock } = deps;
  const { query } = database;
  const readStreams = createStreamChangeReader(deps, accountId, maxOfKind);
  const deduplicator = createDeduplicator();
  let lookedAt: number | null = null;
  let lastUsage = '';
  let lastJobs: ReadonlyMap<string, string> = new Map();

  const readUsage = async (): Promise<Change[]> => {
    const row = await query
      .selectFrom('account')
      .select(['calls_used as callsUsed', 'call_limit as callLimit'])
      .where('id', '=', accountId)
      .executeTakeFirst();
    const usage = JSON.stringify(row);
    if (!row || usage === lastUsage) return [];
    lastUsage = usage;
    return [{ kind: 'usage', ...row }];
  };

  const readAnalyses = async (since: number): Promise<Change[]> => {
    const rows = await query
      .selectFrom('analysis')
      .select(['fileid', 'operation', 'created_at as createdAt'])
      .where('account_id', '=', accountId)
      .where('created_at', '>', since)
      .orderBy('created_at', 'desc')
      .limit(maxOfKind)
      .execute();
    return rows
      .reverse()
      .filter(({ fileid, createdAt }) => deduplicator.isNew(`analysis ${fileid}`, createdAt))
      .map((analysis) => ({ kind: 'analysis', analysis }));
  };

  const readFiles = async (since: number): Promise<Change[]> => {
    const rows = await query
      .selectFrom('drop_event')
      .innerJoin('drop_file', 'drop_file.id', 'drop_event.file_id')
      .select(['drop_event.at', 'drop_event.what', 'drop_file.id', 'drop_file.drop_id as dropId'])
      .select((row) => row.fn.coalesce('drop_file.came_name', 'drop_file.name').as('name'))
      .select('drop_file.state')
      .where('drop_event.account_id', '=', accountId)
      .where('drop_event.at', '>', since)
      .orderBy('drop_event.at', 'desc')
      .limit(maxOfKind)
      .execute();
    const changed = new Map<string, Change>();
    for (const { at, what, ...file } of rows.reverse()) {
      if (deduplicator.isNew(`file ${file.id} ${what} ${at}`, at))
        changed.set(file.id, { kind: 'drop_file', file });
    }
    return [...changed.values()];
  };

  const readJobs = async (since: number): Promise<Change[]> => {
    // The job of a drop's file has no news that the file itself has not.
    const jobs = query
      .selectFrom('job')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('kind', '<>', dropFileKind)
      .limit(maxOfKind);
    const [unfinished, ended] = await Promise.all([
      jobs.where('ended_at', 'is', null).orderBy('created_at', 'desc').execute(),
      jobs.where('ended_at', '>', since).orderBy('ended_at').execute(),
    ]);
    const rows = [...unfinished, ...ended];
    const before = lastJobs;
    lastJobs = new Map(rows.map((row) => [row.id, snapshotOf(row)]));
    return rows
      .filter((row) => before.get(row.id) !== snapshotOf(row))
      .map((row) => ({ kind: 'job', job: toJob(row) }));
  };

  return async () => {
    const now = clock();
    const since = (lookedAt ?? now) - overlapMs;
    const found = await Promise.all([
      readUsage(),
      readAnalyses(since),
      readFiles(since),
      readJobs(since),
      readStreams(),
    ]);
    const isFirst = lookedAt === null;
    lookedAt = now;
    deduplicator.forgetBefore(since - overlapMs);
    if (isFirst) return [];
    const isTooMany = found.some((ofKind) => ofKind.length >= maxOfKind);
    return isTooMany ? [{ kind: 'refetch' }] : found.flat();
  };
}

/** What makes news of a job. */
function snapshotOf({ state, stage, done, total, seconds_left, error }: Selectable<Schema['job']>): string {
  return JSON.stringify([state, stage, done, total, seconds_left, error]);
}

/**
 * Changes that were sent lately. A row that commits late, or by the clock of another service, may be older than one that was told
 * already; so each look goes back a little, and what it sees again is left out.
 */
function createDeduplicator() {
  const seenAt = new Map<string, number>();
  return {
    /** Whether this is sent for the first time; `at` is when it happened, in milliseconds since 1970. */
    isNew(key: string, at: number): boolean {
      if (seenAt.has(key)) return false;
      seenAt.set(key, at);
      return true;
    },
    /** What no look will see again. */
    forgetBefore(before: number) {
      for (const [key, at] of seenAt) if (at < before) seenAt.delete(key);
    },
  };
}
