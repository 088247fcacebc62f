import { ServiceError } from '../errors/service-error.js';
import type { Database } from '../storage/database.js';
import type { Plan } from './new-account.js';

/** What an account is told about itself. */
export interface AccountState {
  readonly id: number;
  readonly name: string;
  readonly plan: Plan;
  /** Calls in all; null: no limit. */
  readonly callLimit: number | null;
  readonly callsUsed: number;
  /** Days for which results are kept; 0: not at all. */
  readonly resultDays: number;
  readonly createdAt: number;
}

export async function readAccount(
  { query }: Pick<Database, 'query'>,
  accountId: number,
): Promise<AccountState> {
  const account = await query
    .selectFrom('account')
    .select([
      'id',
      'name',
      'plan',
      'call_limit as callLimit',
      'calls_used as callsUsed',
      'result_days as resultDays',
      'created_at as createdAt',
    ])
    .where('id', '=', accountId)
    .executeTakeFirst();
  if (!account) throw new ServiceError('not_found', 'the account is no longer there');
  return account;
}
