import type { Database } from '../storage/database.js';
import { type Page, type PageWanted, toPage } from '../storage/page.js';

/** Calls of one key by one operation on one UTC day (`2026-01-31`). */
export interface UsageRow {
  readonly day: string;
  readonly keyId: number;
  /** Of a person's pages: `web account`. */
  readonly keyName: string;
  readonly operation: string;
  readonly calls: number;
}

export interface UsageWanted {
  /** First and last day, both counted. */
  readonly from: string;
  readonly to: string;
  readonly operation?: string | undefined;
  readonly keyId?: number | undefined;
}

export type UsagePosition = readonly [day: string, keyId: number, operation: string];

/** Calls that counted, of one account: a page of rows, the newest day first, and the sum over all pages. */
export async function readUsage(
  { query }: Pick<Database, 'query'>,
  accountId: number,
  wanted: UsageWanted,
  page: PageWanted<UsagePosition>,
): Promise<Page<UsageRow, UsagePosition> & { readonly total: number }> {
  let matching = query
    .selectFrom('usage')
    .where('usage.account_id', '=', accountId)
    .where('day', '>=', wanted.from)
    .where('day', '<=', wanted.to)
    // A call that was given back leaves a zero behind.
    .where('calls', '>', 0);
  if (wanted.operation !== undefined) matching = matching.where('operation', '=', wanted.operation);
  if (wanted.keyId !== undefined) matching = matching.where('key_id', '=', wanted.keyId);

  let rows = matching
    .innerJoin('api_key', 'api_key.id', 'usage.key_id')
    .select(['day', 'key_id as keyId', 'api_key.name as keyName', 'operation', 'calls']);
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
  const [found, sum] = await Promise.all([
    rows
      .orderBy('day', 'desc')
      .orderBy('key_id')
      .orderBy('operation')
      .limit(page.limit + 1)
      .execute(),
    matching.select((row) => row.fn.sum<number | null>('calls').as('total')).executeTakeFirst(),
  ]);
  return {
    ...toPage(found, page.limit, ({ day, keyId, operation }): UsagePosition => [day, keyId, operation]),
    total: Number(sum?.total ?? 0),
  };
}
