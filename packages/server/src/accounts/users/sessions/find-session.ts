import type { Clock } from '../../../core/clock.js';
import type { Database } from '../../../storage/database.js';
import { prepare, type ValueOf } from '../../../storage/prepare.js';
import { expiryOf, type Session, type SessionLife, type Visitor } from './session.js';
import { hashToken, isToken } from './token.js';

/** Using a session is written down once in so long: its end is known to within this. */
const touchEveryMs = 5 * 60_000;

export type FindSession = (token: string, visitor: Pick<Visitor, 'address'>) => Promise<Session | null>;

/**
 * Whose a token is, asked of the database each time: a session that was ended is over with the next request. Null for one
 * that is unknown, ended or expired. Using it puts its end off.
 */
export function createFindSession(
  database: Database,
  { clock, life }: { readonly clock: Clock; readonly life: SessionLife },
): FindSession {
  const { query } = database;
  const sessionOf = prepare(query, (from, value: ValueOf<{ hash: string }>) =>
    from
      .selectFrom('web_session')
      .innerJoin('web_user', 'web_user.id', 'web_session.user_id')
      .innerJoin('account', 'account.id', 'web_user.account_id')
      .select([
        'web_session.id',
        'web_session.created_at as createdAt',
        'web_session.last_used_at as lastUsedAt',
        'web_session.allows_plain_cookie as allowsPlainCookie',
        'web_user.id as userId',
        'web_user.key_id as keyId',
        'web_user.email',
        'web_user.name',
        'web_user.role',
        'web_user.is_administrator as isAdministrator',
        'web_user.sealed_totp as sealedTotp',
        'account.id as accountId',
        'account.name as accountName',
        'account.plan',
        'account.result_days as resultDays',
        'account.call_limit as callLimit',
        'account.exact_rate_limits as exactRateLimits',
      ])
      .where('web_session.hash', '=', value('hash'))
      .where('account.closed_at', 'is', null),
  );
  const touch = (id: number, now: number, { address }: Pick<Visitor, 'address'>) =>
    database.write([
      query
        .updateTable('web_session')
        .set({ last_used_at: now, address })
        .where('id', '=', id)
        .where('last_used_at', '<', now),
    ]);

  return async (token, visitor) => {
    if (!isToken(token)) return null;
    const [row] = (await query.executeQuery(sessionOf({ hash: hashToken(token) }))).rows;
    const now = clock();
    if (!row || expiryOf(row, life) <= now) return null;
    const isDue = now - row.lastUsedAt >= touchEveryMs;
    if (isDue) await touch(row.id, now, visitor);
    const { accountId, keyId, resultDays } = row;
    return {
      id: row.id,
      user: {
        id: row.userId,
        email: row.email,
        name: row.name,
        role: row.role,
        isAdministrator: row.isAdministrator === 1,
        hasTotp: row.sealedTotp !== null,
      },
      account: { id: accountId, name: row.accountName, plan: row.plan },
      createdAt: row.createdAt,
      expiresAt: expiryOf({ ...row, lastUsedAt: isDue ? now : row.lastUsedAt }, life),
      allowsPlainCookie: row.allowsPlainCookie === 1,
      // What a role may do is decided by method and route; a reader is stopped there.
      caller: {
        accountId,
        keyId,
        resultDays,
        hasLimit: row.callLimit !== null,
        managesKeys: true,
        hasExactRateLimits: row.exactRateLimits === 1,
      },
    };
  };
}
