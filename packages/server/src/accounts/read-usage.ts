import type { Database } from '../storage/database.js';
import { type Page, type PageRequest, toPage } from '../storage/page.js';

/** Calls of one key by one operation on one UTC day (`2026-01-31`). */
export interface UsageRow {
  readonly day: string;
  readonly keyId: number;
  /** Of a person's pages: `web account`. */
  readonly keyName: string;
  readonly operation: string;
  readonly calls: number;
  /** Calls that were ended while they ran; not among `calls`. */
  readonly failed: number;
  /** Processor time that they took. */
  readonly failedCpuMs: number;
}

export interface UsageQuery {
  /** First and last day, both counted. */
  readonly from: string;
  readonly to: string;
  readonly operation?: string | undefined;
  readonly keyId?: number | undefined;
}

export type UsagePosition = readonly [day: string, keyId: number, operation: string];

/** By what calls are summed: every day, operation or key has one sum. */
export type UsageGroup = 'day' | 'operation' | 'key';

/** Of one day, one operation or one key. */
export type UsageSum = Pick<UsageRow, 'calls' | 'failed' | 'failedCpuMs'> &
  (
    | { readonly day: string }
    | { readonly operation: string }
    | { readonly key_id: number; readonly key_name: string }
  );

/**
 * Calls that counted, summed: days in their order, operations and keys by calls, the most first; at most ten years of days.
 * The total is of all, reported or not.
 */
export async function sumUsage(
  database: Pick<Database, 'query'>,
  accountId: number,
  wanted: UsageQuery,
  by: UsageGroup,
): Promise<{ readonly sums: readonly UsageSum[]; readonly total: number }> {
  const matching = usageOf(database, accountId, wanted);
  const column = by === 'key' ? 'key_id' : by;
  const sums = matching
    .select([
      column,
      (row) => row.fn.sum<number>('calls').as('calls'),
      (row) => row.fn.sum<number>('failed').as('failed'),
      (row) => row.fn.sum<number>('failed_cpu_ms').as('failedCpuMs'),
    ])
    .groupBy(column)
    .orderBy(by === 'day' ? 'day' : 'calls', by === 'day' ? 'asc' : 'desc')
    .orderBy(column)
    .limit(maxSums);
  const [rows, total] = await Promise.all([sums.execute(), totalOf(matching)]);
  const counted = rows.map((row) => ({
    ...row,
    calls: Number(row.calls),
    failed: Number(row.failed),
    failedCpuMs: Number(row.failedCpuMs),
  }));
  return { sums: by === 'key' ? await nameKeys(database, accountId, counted) : counted, total };
}

/** Ten years of days. */
const maxSums = 3660;

/** Calls that counted, of one account: a page of rows, the newest day first, and the sum over all pages. */
export async function readUsage(
  database: Pick<Database, 'query'>,
  accountId: number,
  wanted: UsageQuery,
  page: PageRequest<UsagePosition>,
): Promise<Page<UsageRow, UsagePosition> & { readonly total: number }> {
  const matching = usageOf(database, accountId, wanted);
  let rows = matching
    .innerJoin('api_key', 'api_key.id', 'usage.key_id')
    .select(['day', 'key_id as keyId', 'api_key.name as keyName', 'operation', 'calls', 'failed'])
    .select('failed_cpu_ms as failedCpuMs');
  if (page.after !== undefined) {
    const [day, keyId, operation] = page.after;
    rows = rows
      // Beside the exact condition, one that an index can use.
      .where('day', '<=', day)
      .where((row) =>
        row.or([
          row('day', '<', day),
          row('key_id', '>', keyId),
          row.and([row('key_id', '=', keyId), row('operation', '>', operation)]),
        ]),
      );
  }
  const [found, total] = await Promise.all([
    rows
      .orderBy('day', 'desc')
      .orderBy('key_id')
      .orderBy('operation')
      .limit(page.limit + 1)
      .execute(),
    totalOf(matching),
  ]);
  return {
    ...toPage(found, page.limit, ({ day, keyId, operation }): UsagePosition => [day, keyId, operation]),
    total,
  };
}

/** Keys go with their account alone, so that each that was used has its name. */
async function nameKeys(
  { query }: Pick<Database, 'query'>,
  accountId: number,
  sums: readonly (Omit<UsageSum, 'key_id'> & { readonly key_id?: number })[],
): Promise<readonly UsageSum[]> {
  const keys = await query
    .selectFrom('api_key')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .execute();
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  return sums.map(({ key_id = 0, ...sum }) => ({ ...sum, key_id, key_name: names.get(key_id) ?? '' }));
}

function usageOf({ query }: Pick<Database, 'query'>, accountId: number, wanted: UsageQuery) {
  let matching = query
    .selectFrom('usage')
    .where('usage.account_id', '=', accountId)
    .where('day', '>=', wanted.from)
    .where('day', '<=', wanted.to)
    // A call that was given back leaves a zero behind.
    .where((row) => row.or([row('calls', '>', 0), row('failed', '>', 0)]));
  if (wanted.operation !== undefined) matching = matching.where('operation', '=', wanted.operation);
  if (wanted.keyId !== undefined) matching = matching.where('key_id', '=', wanted.keyId);
  return matching;
}

async function totalOf(matching: ReturnType<typeof usageOf>): Promise<number> {
  const sum = await matching
    .select((row) => row.fn.sum<number | null>('calls').as('total'))
    .executeTakeFirst();
  return Number(sum?.total ?? 0);
}
