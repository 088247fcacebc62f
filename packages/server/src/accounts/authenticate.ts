import { LRUCache } from 'lru-cache';
import type { Clock } from '../core/clock.js';
import type { Database } from '../storage/database.js';
import { prepare, type ValueOf } from '../storage/prepare.js';
import type { KeyScope } from '../storage/tables/accounts.js';
import type { Caller } from './caller.js';
import { hashKey, maxKeyLength } from './key.js';

/**
 * How long a key's owner is taken from memory. A call settled meanwhile asks the database again in its own unit
 * (`allowance.ts`), so that a key revoked from the command line or through another replica is refused at once all the same.
 */
const rememberedMs = 1000;
const maxRemembered = 10_000;

interface Owner {
  readonly caller: Caller;
  readonly scope: KeyScope;
  readonly expiresAt: number | null;
}

export interface Authenticator {
  /**
   * Tells who a key belongs to, a page's too; null when it is unknown, revoked, expired, of a closed account or a drop's. The
   * database is asked where this is not known of the last second, or always.
   */
  authenticate(key: string, how?: { readonly isAfresh: boolean }): Promise<Caller | null>;
  /** The same, asked of the database, and not for a page's key: for what is not settled afterwards. */
  authenticateAfresh(key: string): Promise<Caller | null>;
  /** The same for the key of a drop, and no other. */
  authenticateDrop(key: string): Promise<Caller | null>;
  /** Whose a key is that is known by its id alone; null when it is revoked or expired. For work that goes on by itself. */
  ownerOfKey(keyId: number): Promise<Caller | null>;
  /** The key was changed or revoked: from now on the database is asked again. */
  forget(keyId: number): void;
}

const ownerColumns = [
  'api_key.id as keyId',
  'api_key.account_id as accountId',
  'api_key.expires_at as expiresAt',
  'account.result_days as resultDays',
  'account.call_limit as accountLimit',
  'api_key.call_limit as keyLimit',
  'api_key.scope',
  'account.exact_rate_limits as exactRateLimits',
] as const;

export function createAuthenticator({ query }: Pick<Database, 'query'>, clock: Clock): Authenticator {
  const remembered = new LRUCache<string, Owner>({ max: maxRemembered, ttl: rememberedMs });
  const ownerOf = prepare(query, (from, value: ValueOf<{ hash: string }>) =>
    from
      .selectFrom('api_key')
      .innerJoin('account', 'account.id', 'api_key.account_id')
      .select(ownerColumns)
      .where('api_key.hash', '=', value('hash'))
      .where('api_key.revoked_at', 'is', null)
      .where('account.closed_at', 'is', null),
  );
  const readOwner = async (hash: string): Promise<Owner | undefined> => {
    const [row] = (await query.executeQuery(ownerOf({ hash }))).rows;
    if (!row) return undefined;
    const owner = toOwner(row);
    remembered.set(hash, owner);
    return owner;
  };
  const findPageCaller = createFindPageCaller({ query }, clock);
  const callerOf = async (
    key: string,
    scope: KeyScope,
    recall: (hash: string) => Owner | undefined,
  ): Promise<Caller | null> => {
    if (key.length === 0 || key.length > maxKeyLength) return null;
    const hash = hashKey(key);
    const owner = recall(hash) ?? (await readOwner(hash));
    if (owner?.scope !== scope || (owner.expiresAt !== null && owner.expiresAt <= clock())) return null;
    return owner.caller;
  };
  return {
    authenticate: async (key, { isAfresh } = { isAfresh: false }) =>
      (await callerOf(key, 'account', (hash) => (isAfresh ? undefined : remembered.get(hash)))) ??
      (await findPageCaller(key)),
    async ownerOfKey(keyId) {
      const row = await query
        .selectFrom('api_key')
        .innerJoin('account', 'account.id', 'api_key.account_id')
        .select(ownerColumns)
        .where('api_key.id', '=', keyId)
        .where('api_key.revoked_at', 'is', null)
        .where('account.closed_at', 'is', null)
        .executeTakeFirst();
      if (!row || (row.expiresAt !== null && row.expiresAt <= clock())) return null;
      return toOwner(row).caller;
    },
    authenticateAfresh: (key) => callerOf(key, 'account', () => undefined),
    authenticateDrop: (key) => callerOf(key, 'drop', () => undefined),
    forget(keyId) {
      for (const [hash, { caller }] of remembered.entries()) {
        if (caller.keyId === keyId) remembered.delete(hash);
      }
    },
  };
}

interface OwnerRow {
  readonly accountId: number;
  readonly keyId: number;
  readonly expiresAt: number | null;
  readonly resultDays: number;
  readonly accountLimit: number | null;
  readonly keyLimit: number | null;
  readonly scope: KeyScope;
  readonly exactRateLimits: number;
}

function toOwner({
  accountId,
  keyId,
  resultDays,
  accountLimit,
  keyLimit,
  expiresAt,
  scope,
  exactRateLimits,
}: OwnerRow): Owner {
  const hasLimit = accountLimit !== null || keyLimit !== null;
  const managesKeys = keyLimit === null;
  const hasExactRateLimits = exactRateLimits === 1;
  const caller = { accountId, keyId, resultDays, hasLimit, managesKeys, hasExactRateLimits };
  return { caller, expiresAt, scope };
}

/**
 * Whose pages a key is of; null when it is unknown or expired, when its session has ended, and when its person may only read.
 * Asked of the database each time, so that it ends with its session at once.
 */
function createFindPageCaller(
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
        'account.exact_rate_limits as exactRateLimits',
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
    const { callLimit, exactRateLimits, ...caller } = row;
    const hasExactRateLimits = exactRateLimits === 1;
    return { ...caller, hasLimit: callLimit !== null, managesKeys: false, hasExactRateLimits };
  };
}
