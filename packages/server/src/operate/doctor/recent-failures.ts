import type { Kysely } from 'kysely';
import type { Schema } from '../../storage/schema.js';
import { type Finding, fine, notice } from './finding.js';

const days = 7;
const maxShown = 5;

interface Failure {
  readonly what: string;
  readonly atMs: number;
  readonly error: string | null;
}

/** What the database has of failures of the last days: of jobs, streams, outputs and files of drops, the latest of each first. */
export async function recentFailures(query: Kysely<Schema>, nowMs: number): Promise<readonly Finding[]> {
  const sinceMs = nowMs - days * 86_400_000;
  const failures = (
    await Promise.all([
      failedJobs(query, sinceMs),
      failedDropFiles(query, sinceMs),
      streamsAway(query, sinceMs),
      failingOutputs(query),
    ])
  )
    .flat()
    .sort((a, b) => b.atMs - a.atMs);
  if (failures.length === 0) return [fine('failures', `none in ${days} days`)];
  const lines = failures.slice(0, maxShown).map(({ what, atMs, error }) => {
    const time = new Date(atMs).toISOString().slice(0, 16).replace('T', ' ');
    return `${time} UTC ${what}: ${error ?? 'no reason is known'}`;
  });
  const more = failures.length > maxShown ? [`and ${failures.length - maxShown} more`] : [];
  return [notice('failures', [`in ${days} days`, ...lines, ...more].join('\n'))];
}

const limit = 100;

async function failedJobs(query: Kysely<Schema>, sinceMs: number): Promise<readonly Failure[]> {
  const rows = await query
    .selectFrom('job')
    .select(['kind', 'error', 'ended_at as endedAt', 'account_id as accountId'])
    .where('state', '=', 'failed')
    .where('ended_at', '>=', sinceMs)
    .orderBy('ended_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ kind, error, endedAt, accountId }) => ({
    ...{ what: `job ${kind} of account ${accountId}`, atMs: endedAt ?? 0, error },
  }));
}

async function failedDropFiles(query: Kysely<Schema>, sinceMs: number): Promise<readonly Failure[]> {
  const rows = await query
    .selectFrom('drop_file')
    .select(['drop_id as dropId', 'error', 'ended_at as endedAt', 'account_id as accountId'])
    .where('state', '=', 'failed')
    .where('ended_at', '>=', sinceMs)
    .orderBy('ended_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ dropId, error, endedAt, accountId }) => ({
    ...{ what: `a file of drop ${dropId} of account ${accountId}`, atMs: endedAt ?? 0, error },
  }));
}

async function streamsAway(query: Kysely<Schema>, sinceMs: number): Promise<readonly Failure[]> {
  const rows = await query
    .selectFrom('stream_state')
    .select(['stream_id as streamId', 'state', 'reason', 'since', 'account_id as accountId'])
    .where('reason', 'is not', null)
    .where('updated_at', '>=', sinceMs)
    .orderBy('since', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ streamId, state, reason, since, accountId }) => ({
    ...{ what: `stream ${streamId} of account ${accountId} is ${state}`, atMs: since, error: reason },
  }));
}

async function failingOutputs(query: Kysely<Schema>): Promise<readonly Failure[]> {
  const rows = await query
    .selectFrom('stream_output')
    .select(['id', 'error', 'failing_since as since', 'account_id as accountId'])
    .where('failing_since', 'is not', null)
    .where('deleted_at', 'is', null)
    .limit(limit)
    .execute();
  return rows.map(({ id, error, since, accountId }) => ({
    ...{ what: `output ${id} of account ${accountId} fails since then`, atMs: since ?? 0, error },
  }));
}
