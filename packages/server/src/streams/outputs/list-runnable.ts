import { sql } from 'kysely';
import type { Database } from '../../storage/database.js';
import type { OutputRow } from './output-rows.js';

/** An output as whoever sends its events looks at it. */
export interface RunnableOutput {
  /** Of the output among all accounts. */
  readonly key: string;
  readonly accountId: number;
  readonly id: number;
  readonly row: OutputRow;
  /** Name of its lease. */
  readonly lease: string;
  /** Some service has it. */
  readonly isLeased: boolean;
  /** It is enabled, or is gone and something of it may be left at its broker. */
  readonly isRunnable: boolean;
  /** It was deleted, or its account: what is left of it is to be cleared. */
  readonly isGone: boolean;
  /** Number of the last event of the account. */
  readonly newestSeq: number;
}

/** The outputs of accounts that are open, and others of which a broker keeps something, with one query. */
export async function listRunnable({
  query,
  clock,
}: Pick<Database, 'query' | 'clock'>): Promise<readonly RunnableOutput[]> {
  const now = clock();
  const rows = await query
    .selectFrom('stream_output')
    .innerJoin('account', 'account.id', 'stream_output.account_id')
    .leftJoin('account_counter', (join) =>
      join
        .onRef('account_counter.account_id', '=', 'stream_output.account_id')
        .on('account_counter.kind', '=', 'stream_event'),
    )
    .leftJoin('lease', (join) => join.on(sql`lease.name`, '=', leaseName))
    .selectAll('stream_output')
    .select([
      'account_counter.last as newestSeq',
      'lease.leased_until as leasedUntil',
      'account.closed_at as closedAt',
      leaseName.as('leaseName'),
    ])
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('account.closed_at', 'is', null),
        exists(
          selectFrom('stream_output_topic')
            .select('topic')
            .whereRef('stream_output_topic.account_id', '=', 'stream_output.account_id')
            .whereRef('stream_output_topic.output_id', '=', 'stream_output.id'),
        ),
      ]),
    )
    .execute();
  return rows.map(({ newestSeq, leasedUntil, closedAt, leaseName: lease, ...row }) => ({
    key: `${row.account_id} ${row.id}`,
    accountId: row.account_id,
    id: row.id,
    row,
    lease,
    isLeased: leasedUntil !== null && leasedUntil >= now,
    isRunnable: row.is_enabled === 1 || row.deleted_at !== null || closedAt !== null,
    isGone: row.deleted_at !== null || closedAt !== null,
    newestSeq: newestSeq ?? 0,
  }));
}

const leaseName = sql<string>`cast('stream-output ' as text) || stream_output.account_id || ' ' || stream_output.id`;
