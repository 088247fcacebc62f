import { sql } from 'kysely';
import type { Clock } from '../core/clock.js';
import { ServiceError } from '../core/service-error.js';
import type { Database } from '../storage/database.js';
import type { KeyScope } from '../storage/tables/accounts.js';
import { checkExpiry } from './check-fields.js';
import { creatorColumns, mayCreateKeys } from './creator.js';
import { hashKey, keyPrefix, makeKey, makeTypedKey } from './key.js';
import { checkKeyName } from './key-name.js';
import { type NewOwnKey, type OwnKey, ownKeyColumns } from './own-key.js';

/** Keys of one account and scope that are not revoked: far more than programs need, and a bound on what one account can store. */
const maxKeys = 100;
/** Keys that one account makes in a day, revoked ones among them: making and revoking in a loop grows the table too. */
const maxNewKeys = 1000;
const newForMs = 86_400_000;
const ofScope: Readonly<Record<KeyScope, string>> = {
  account: '',
  drop: ' of drops',
  compat: ' for clients of other services',
};

/**
 * Makes a key of an account. Throws `conflict` or `too_many_requests` when it has, or has made, too many, and `not_allowed` for a creator
 * who was removed, or whose key was revoked, since the request was let in.
 */
export async function createOwnKey(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  accountId: number,
  wanted: NewOwnKey,
): Promise<OwnKey & { readonly key: string }> {
  const { query } = database;
  const now = clock();
  const name = await checkKeyName(database, wanted.name);
  const { expiresAt, callLimit = null, scope = 'account', creator, alongside } = wanted;
  checkExpiry(expiresAt, now);
  const key = scope === 'drop' ? makeTypedKey() : makeKey();
  const prefix = keyPrefix(key);
  const hash = hashKey(key);

  const keysOf = () =>
    query.selectFrom('api_key').where('account_id', '=', accountId).where('is_web', '=', 0);
  const count = sql<number>`count(*)`.as('count');
  const by = creatorColumns(creator);
  const isAllowed = mayCreateKeys(creator, accountId, now);
  const insert = query
    .insertInto('api_key')
    .columns([
      ...(['account_id', 'hash', 'prefix', 'name', 'created_at', 'expires_at', 'call_limit'] as const),
      ...(['scope', 'creator_kind', 'creator_user_id', 'creator_key_id'] as const),
    ])
    .expression((from) =>
      from
        .selectFrom('account')
        .select([
          'account.id as account_id',
          sql<string>`cast(${hash} as text)`.as('hash'),
          sql<string>`cast(${prefix} as text)`.as('prefix'),
          sql<string>`cast(${name} as text)`.as('name'),
          sql<number>`cast(${now} as bigint)`.as('created_at'),
          sql<number | null>`cast(${expiresAt} as bigint)`.as('expires_at'),
          sql<number | null>`cast(${callLimit} as bigint)`.as('call_limit'),
          sql<KeyScope>`cast(${scope} as text)`.as('scope'),
          by.creator_kind.as('creator_kind'),
          by.creator_user_id.as('creator_user_id'),
          by.creator_key_id.as('creator_key_id'),
        ])
        .where('account.id', '=', accountId)
        .where(isAllowed)
        .where(
          keysOf().select(count).where('scope', '=', scope).where('revoked_at', 'is', null),
          '<',
          maxKeys,
        )
        .where(
          keysOf()
            .select(count)
            .where('created_at', '>', now - newForMs),
          '<',
          maxNewKeys,
        ),
    )
    .returning('id');
  // In turn, so that two requests do not both make the last key.
  const [made] = await database.write([insert, ...(alongside?.(hash) ?? [])], { isSerialized: true });
  const id = made?.rows[0]?.['id'];
  if (id !== undefined) {
    const row = await query
      .selectFrom('api_key')
      .select(ownKeyColumns)
      .where('id', '=', Number(id))
      .executeTakeFirstOrThrow();
    return { ...row, key };
  }
  const stillAllowed = await query
    .selectFrom('account')
    .select('id')
    .where('id', '=', accountId)
    .where(isAllowed)
    .executeTakeFirst();
  if (!stillAllowed) {
    throw new ServiceError('not_allowed', 'you may create no keys any more: your access was taken back');
  }

  const oldestThatCounts = await keysOf()
    .select('created_at as createdAt')
    .where('created_at', '>', now - newForMs)
    .orderBy('created_at', 'desc')
    .offset(maxNewKeys - 1)
    .limit(1)
    .executeTakeFirst();
  if (oldestThatCounts) {
    throw new ServiceError(
      'too_many_requests',
      `the account made ${maxNewKeys} keys within a day; use the keys it has`,
      { retryAfterSeconds: Math.ceil((oldestThatCounts.createdAt + newForMs - now) / 1000) },
    );
  }
  throw new ServiceError(
    'conflict',
    `the account has ${maxKeys} keys${ofScope[scope]}; revoke one that is no longer used`,
  );
}
