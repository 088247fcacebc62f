import type { Clock } from '../clock.js';
import type { Database } from '../storage/database.js';
import { prepare, type ValueOf } from '../storage/prepare.js';
import type { Caller } from './caller.js';
import { hashKey } from './key.js';

/** Longer than any key of ours; what is longer is not worth a look. */
const maxKeyLength = 256;

/**
 * Tells who a key belongs to; null when it is unknown, revoked or expired. Asked of the database each time, so that a
 * key revoked from the command line is refused at once.
 */
export function createAuthenticator(
  { query }: Pick<Database, 'query'>,
  clock: Clock,
): (key: string) => Promise<Caller | null> {
  const ownerOf = prepare(query, (from, value: ValueOf<{ hash: string }>) =>
    from
      .selectFrom('api_key')
      .innerJoin('account', 'account.id', 'api_key.account_id')
      .select([
        'api_key.id as keyId',
        'api_key.account_id as accountId',
        'api_key.expires_at as expiresAt',
        'api_key.revoked_at as revokedAt',
        'account.result_days as resultDays',
        'account.call_limit as callLimit',
      ])
      .where('api_key.hash', '=', value('hash')),
  );
  return async (key) => {
    if (key.length === 0 || key.length > maxKeyLength) return null;
    const [row] = (await query.executeQuery(ownerOf({ hash: hashKey(key) }))).rows;
    if (!row || row.revokedAt !== null) return null;
    if (row.expiresAt !== null && row.expiresAt <= clock()) return null;
    const { accountId, keyId, resultDays, callLimit } = row;
    return { accountId, keyId, resultDays, hasLimit: callLimit !== null };
  };
}
