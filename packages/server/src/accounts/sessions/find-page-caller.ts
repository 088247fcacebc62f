import type { Clock } from '../../clock.js';
import type { Database } from '../../storage/database.js';
import { prepare, type ValueOf } from '../../storage/prepare.js';
import type { Caller } from '../caller.js';
import { hashKey, maxKeyLength } from '../key.js';

/**
 * Whose pages a key is of; null when it is unknown or expired, when its session has ended, and when its person may only read.
 * Asked of the database each time, so that it ends with its session at once.
 */
export function createFindPageCaller(
  { query }: Pick<Database, 'query'>,
  clock: Clock,
): (key: string) => Promise<Caller | null> {
  const callerOf = prepare(query, (from, value: ValueOf<{ hash: string; now: number }>) =>
    from
      .selectFrom('web_page_key')
      .innerJoin('web_session', 'web_session.id', 'web_page_key.session_id')
      .innerJoin('web_user', 'web_user.id', 'web_session.user_id')
      .innerJoin('account', 'account.id', 'web_user.account_id')
      .select([
        'web_user.key_id as keyId',
        'account.id as accountId',
        'account.result_days as resultDays',
        'account.call_limit as callLimit',
      ])
      .where('web_page_key.hash', '=', value('hash'))
      .where('web_page_key.expires_at', '>', value('now'))
      .where('web_user.role', '<>', 'reader')
      .where('account.closed_at', 'is', null),
  );
  return async (key) => {
    if (key.length === 0 || key.length > maxKeyLength) return null;
    const [row] = (await query.executeQuery(callerOf({ hash: hashKey(key), now: clock() }))).rows;
    if (!row) return null;
    const { callLimit, ...caller } = row;
    return { ...caller, hasLimit: callLimit !== null, managesKeys: false };
  };
}
