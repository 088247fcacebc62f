import type { Database } from '../storage/database.js';
import type { Plan } from './new-account.js';

export interface ListedAccount {
  readonly id: number;
  readonly name: string;
  readonly plan: Plan;
  readonly callsUsed: number;
  /** Null: no limit. */
  readonly callLimit: number | null;
  /** Keys that are not revoked, expired ones among them. */
  readonly keys: number;
  /** Days for which results are kept. */
  readonly resultDays: number;
  readonly createdAt: number;
}

export async function listAccounts(database: Database): Promise<readonly ListedAccount[]> {
  const rows = await database.query
    .selectFrom('account')
    .leftJoin('api_key', (join) =>
      join
        .onRef('api_key.account_id', '=', 'account.id')
        .on('api_key.revoked_at', 'is', null)
        .on('api_key.is_web', '=', 0),
    )
    .select((row) => [
      'account.id',
      'account.name',
      'account.plan',
      'account.calls_used as callsUsed',
      'account.call_limit as callLimit',
      row.fn.count<number>('api_key.id').as('keys'),
      'account.result_days as resultDays',
      'account.created_at as createdAt',
    ])
    .groupBy(['account.id'])
    .orderBy('account.id')
    .execute();
  return rows;
}
