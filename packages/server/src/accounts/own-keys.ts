import { sql } from 'kysely';
import type { Clock } from '../clock.js';
import { ServiceError } from '../errors/service-error.js';
import type { Database } from '../storage/database.js';
import { type Page, type PageWanted, toPage } from '../storage/page.js';
import { hashKey, keyPrefix, makeKey } from './key.js';
import { checkKeyName } from './key-name.js';

/** Keys of one account that are not revoked: far more than programs need, and a bound on what one account can store. */
const maxKeys = 100;

export interface OwnKey {
  readonly id: number;
  readonly prefix: string;
  readonly name: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
}

/** Milliseconds since 1970, or null for never. Absent: as it is. */
export interface KeyChange {
  readonly name?: string | undefined;
  readonly expiresAt?: number | null | undefined;
}

/** What an account does with its own keys. A key of another account is `not_found`, as one that there is not. */
export interface OwnKeys {
  /** The newest first, revoked ones too; a position is a key's id. */
  list(accountId: number, wanted: PageWanted<number>): Promise<Page<OwnKey, number>>;
  /** The key itself is in the answer and nowhere else. Throws `conflict` when the account has too many. */
  create(
    accountId: number,
    wanted: { readonly name: string; readonly expiresAt: number | null },
  ): Promise<OwnKey & { readonly key: string }>;
  /** Throws `conflict` for a revoked key. */
  change(accountId: number, keyId: number, change: KeyChange): Promise<OwnKey>;
  /**
   * It is refused from the next request on. Throws `conflict` for the last good key of the account unless `force` says
   * that nobody need get in any more. Revoking twice is the same as once.
   */
  revoke(accountId: number, keyId: number, force: boolean): Promise<void>;
}

export interface OwnKeysDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** Told of each key that was changed or revoked. */
  readonly onChange: (keyId: number) => void;
}

const columns = [
  'id',
  'prefix',
  'name',
  'created_at as createdAt',
  'expires_at as expiresAt',
  'revoked_at as revokedAt',
] as const;

export function createOwnKeys({ database, clock, onChange }: OwnKeysDeps): OwnKeys {
  const { query } = database;

  const read = async (accountId: number, keyId: number): Promise<OwnKey> => {
    const key = await query
      .selectFrom('api_key')
      .select(columns)
      .where('id', '=', keyId)
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    if (!key) throw new ServiceError('not_found', `key ${keyId} is not one of your keys`);
    return key;
  };

  const checkExpiry = (expiresAt: number | null): void => {
    if (expiresAt !== null && expiresAt <= clock()) {
      throw new ServiceError(
        'wrong_parameters',
        'expires_at must lie in the future; to end a key, revoke it',
      );
    }
  };

  return {
    async list(accountId, { limit, after }) {
      let rows = query.selectFrom('api_key').select(columns).where('account_id', '=', accountId);
      if (after !== undefined) rows = rows.where('id', '<', after);
      const found = await rows
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute();
      return toPage(found, limit, (key) => key.id);
    },

    async create(accountId, wanted) {
      const name = await checkKeyName(database, wanted.name);
      const { expiresAt } = wanted;
      checkExpiry(expiresAt);
      const key = makeKey();
      const prefix = keyPrefix(key);
      const createdAt = clock();
      const insert = query
        .insertInto('api_key')
        .columns(['account_id', 'hash', 'prefix', 'name', 'created_at', 'expires_at'])
        .expression((from) =>
          from
            .selectFrom('account')
            .select([
              'account.id as account_id',
              sql<string>`cast(${hashKey(key)} as text)`.as('hash'),
              sql<string>`cast(${prefix} as text)`.as('prefix'),
              sql<string>`cast(${name} as text)`.as('name'),
              sql<number>`cast(${createdAt} as bigint)`.as('created_at'),
              sql<number | null>`cast(${expiresAt} as bigint)`.as('expires_at'),
            ])
            .where('account.id', '=', accountId)
            .where(
              (outer) =>
                outer
                  .selectFrom('api_key')
                  .select(sql<number>`count(*)`.as('count'))
                  .where('account_id', '=', accountId)
                  .where('revoked_at', 'is', null),
              '<',
              maxKeys,
            ),
        )
        .returning('id');
      const [made] = await database.write([insert]);
      const id = made?.rows[0]?.['id'];
      if (id === undefined) {
        throw new ServiceError(
          'conflict',
          `the account has ${maxKeys} keys; revoke one that is no longer used`,
        );
      }
      return { key, id: Number(id), prefix, name, createdAt, expiresAt, revokedAt: null };
    },

    async change(accountId, keyId, change) {
      const name = change.name === undefined ? undefined : await checkKeyName(database, change.name);
      const { expiresAt } = change;
      if (expiresAt !== undefined) checkExpiry(expiresAt);
      const [changed] = await database.write([
        query
          .updateTable('api_key')
          .set({
            // To itself rather than to nothing: an UPDATE needs a column.
            name: name ?? sql<string>`name`,
            ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
          })
          .where('id', '=', keyId)
          .where('account_id', '=', accountId)
          .where('revoked_at', 'is', null),
      ]);
      const key = await read(accountId, keyId);
      if (changed?.changes !== 1) {
        throw new ServiceError('conflict', `key ${keyId} was revoked; make a new one`);
      }
      onChange(keyId);
      return key;
    },

    async revoke(accountId, keyId, force) {
      const now = clock();
      const [revoked] = await database.write([
        query
          .updateTable('api_key')
          .set({ revoked_at: now })
          .where('id', '=', keyId)
          .where('account_id', '=', accountId)
          .where('revoked_at', 'is', null)
          .where((row) =>
            force
              ? row.lit(true)
              : row.or([
                  // Nobody gets in by an expired key as it is.
                  row('expires_at', '<=', now),
                  row.exists(
                    row
                      .selectFrom('api_key as other')
                      .select('other.id')
                      .where('other.account_id', '=', accountId)
                      .where('other.id', '<>', keyId)
                      .where('other.revoked_at', 'is', null)
                      .where((each) =>
                        each.or([each('other.expires_at', 'is', null), each('other.expires_at', '>', now)]),
                      ),
                  ),
                ]),
          ),
      ]);
      if (revoked?.changes === 1) {
        onChange(keyId);
        return;
      }
      const key = await read(accountId, keyId);
      if (key.revokedAt === null) {
        throw new ServiceError(
          'conflict',
          'this is the last good key of the account: make another first, or repeat with force=true',
        );
      }
    },
  };
}
