import { type RawBuilder, sql } from 'kysely';
import type { AnalysisRow } from '../storage/analysis-insert.js';
import { toBindable } from '../storage/bindable.js';
import type { Database } from '../storage/database.js';
import { type NamedStatement, prepare, type ValueOf } from '../storage/prepare.js';
import type { CallKey } from './count-statements.js';

/** What one call writes: it is counted, or was before, and its analysis is kept, or there is none. */
export interface CallEntry {
  readonly call: CallKey;
  readonly isCounting: boolean;
  readonly analysis: AnalysisRow | null;
}

/** Throws `value` where a text of the entry is none that PostgreSQL keeps: together, one such text would refuse all. */
export function checkEntry({ analysis }: CallEntry): void {
  for (const value of Object.values(analysis ?? {})) toBindable(value);
}

/**
 * Makes one statement of PostgreSQL of what many calls write. In their order, each call that is to be counted is granted
 * while the account and the key have room, the key is not revoked and the account is open. Exactly the granted ones are
 * counted in the account, the key and the usage, and have their rows; the statement returns their positions as `at`.
 *
 * Granting and inserting must be one statement: room that was read before is room that others take. The rows of accounts
 * are locked first, then those of keys, each in the order of ids: as the statements of one call do (`count-statements.ts`),
 * and so that two batches never wait for each other crosswise. It is exact by itself; quicker after a statement that locks
 * the accounts (`call-writer.ts`).
 */
export function createMergeCalls({
  query,
}: Pick<Database, 'query'>): (entries: readonly CallEntry[]) => NamedStatement {
  const merged = prepare(query, (from, value: ValueOf<MergedValues>) => ({
    compile: () => mergedStatement(value('entries'), value('records')).compile(from),
  }));
  return (entries) => ({ ...merged(toValues(entries)), statementName: 'merge-calls' });
}

interface MergedValues {
  /** A JSON array of objects with the columns of `entry`. */
  readonly entries: string;
  /** One after the other, in UTF-8. As texts in the JSON they take PostgreSQL ten times the time of all the rest. */
  readonly records: Uint8Array;
}

function toValues(entries: readonly CallEntry[]): MergedValues {
  const records: Buffer[] = [];
  let recordStart = 1;
  const rows = entries.map(({ call, isCounting, analysis }, at) => {
    const { accountId, keyId, operation, day } = call;
    const counted = { at, is_counting: isCounting, account_id: accountId, key_id: keyId, operation, day };
    if (!analysis) return counted;
    const { record, ...columns } = analysis;
    const bytes = Buffer.from(record, 'utf8');
    records.push(bytes);
    const row = { ...columns, ...counted, record_start: recordStart, record_bytes: bytes.length };
    recordStart += bytes.length;
    return row;
  });
  return { entries: JSON.stringify(rows), records: Buffer.concat(records) };
}

const mergedStatement = (entries: RawBuilder<string>, records: RawBuilder<Uint8Array>) => sql<{
  readonly at: number;
}>`
with entry as materialized (
  select * from json_to_recordset(${entries}::json) as entry(
    at bigint, is_counting boolean, account_id bigint, key_id bigint, operation text, day text,
    fileid text, created_at bigint, expires_at bigint, record_start int, record_bytes int, summary text,
    search_text text, image_bytes bigint, image_kind text)
),
open_account as materialized (
  select id, call_limit - calls_used as room from account
  where id = any(array(select account_id from entry where is_counting)) and closed_at is null
  order by id for no key update
),
good_key as materialized (
  select id, call_limit - calls_used as room from api_key
  where id = any(array(
    select entry.key_id from entry inner join open_account on open_account.id = entry.account_id
    where entry.is_counting
  )) and revoked_at is null
  order by id for no key update
),
allowed_by_key as (
  select entry.*, open_account.room as account_room, good_key.room as key_room,
    row_number() over (partition by entry.key_id order by entry.at) as key_place
  from entry
  inner join open_account on open_account.id = entry.account_id
  inner join good_key on good_key.id = entry.key_id
  where entry.is_counting
),
allowed_by_account as (
  select *, row_number() over (partition by account_id order by at) as account_place
  from allowed_by_key where key_room is null or key_place <= key_room
),
granted as materialized (
  select at, account_id, key_id, operation, day
  from allowed_by_account where account_room is null or account_place <= account_room
),
counted_in_account as (
  update account set calls_used = account.calls_used + granted_calls.calls
  from (select account_id, count(*) as calls from granted group by account_id) as granted_calls
  where account.id = granted_calls.account_id
),
counted_in_key as (
  update api_key set calls_used = api_key.calls_used + granted_calls.calls
  from (select key_id, count(*) as calls from granted group by key_id) as granted_calls
  where api_key.id = granted_calls.key_id
),
counted_in_usage as (
  insert into usage (account_id, key_id, operation, day, calls)
  select account_id, key_id, operation, day, count(*) from granted
  group by account_id, key_id, operation, day order by key_id, day, operation
  on conflict (key_id, day, operation) do update set calls = usage.calls + excluded.calls
),
recorded as (
  insert into analysis (fileid, account_id, key_id, operation, created_at, expires_at, record, summary, search_text,
    image_bytes, image_kind)
  select fileid, account_id, key_id, operation, created_at, expires_at,
    convert_from(substring(${records}::bytea from record_start for record_bytes), 'UTF8'), summary, search_text,
    image_bytes, image_kind
  from entry where fileid is not null and (not is_counting or at in (select at from granted))
  order by fileid
)
select at from granted`;
