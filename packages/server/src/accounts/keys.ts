import { sql } from 'kysely';
import type { Clock } from '../core/clock.js';
import { ServiceError } from '../core/service-error.js';
import type { Database } from '../storage/database.js';
import { StorageError } from '../storage/storage-error.js';
import type { KeyScope } from '../storage/tables/accounts.js';
import type { CreatorKind } from '../storage/tables/creator.js';
import { checkName } from './check-fields.js';
import { byOperator, creatorColumns } from './creator.js';
import { hashKey, keyPrefix, makeKey } from './key.js';
import { type AccountDependencies, insertAccount } from './new-account.js';

export interface NewKey {
  /** Name of the account; it is made when it is new. */
  readonly account: string;
  /** What the key is for, for people. */
  readonly name: string;
  /** Milliseconds since 1970; null: never. */
  readonly expiresAt: number | null;
  /** Calls it may make in all, beside the limit of its account; no limit of its own when null or absent. */
  readonly callLimit?: number | null | undefined;
  /** A key chosen by the operator; a random one when absent. */
  readonly key?: string;
  /** Only where the installation has no key yet; else it fails as `not-null`, and nothing is made. */
  readonly isFirst?: boolean;
}

export interface CreatedKey {
  /** Shown here and never again. */
  readonly key: string;
  readonly keyId: number;
  readonly accountId: number;
  readonly prefix: string;
}

export interface ListedKey {
  readonly id: number;
  readonly account: string;
  readonly prefix: string;
  readonly name: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** Null: no limit of its own. */
  readonly callLimit: number | null;
  readonly callsUsed: number;
  readonly scope: KeyScope;
  /** Null: unknown. */
  readonly creatorKind: CreatorKind | null;
  /** The mail address of the user who created it, themselves or by a key; null where it was no user, or one who has left. */
  readonly creatorEmail: string | null;
}

/** Makes a key, and its account when that is new: the first of all is paid and unlimited, later ones are trials. */
export async function createKey(deps: AccountDependencies, wanted: NewKey): Promise<CreatedKey> {
  const { database } = deps;
  const { query } = database;
  const account = checkName('account', wanted.account);
  const name = checkName('key name', wanted.name);
  const key = wanted.key ?? makeKey();
  const makeAccount = insertAccount(deps, { name: account }).onConflict((conflict) =>
    conflict.column('name').doNothing(),
  );
  const makeKeyRow = query
    .insertInto('api_key')
    .values((row) => ({
      account_id: row.selectFrom('account').select('id').where('name', '=', account),
      hash:
        wanted.isFirst === true
          ? sql<string>`case when not exists (select 1 from api_key) then cast(${hashKey(key)} as text) end`
          : hashKey(key),
      prefix: keyPrefix(key),
      name,
      created_at: deps.clock(),
      expires_at: wanted.expiresAt,
      revoked_at: null,
      call_limit: wanted.callLimit ?? null,
      ...creatorColumns(byOperator),
    }))
    .returning(['id', 'account_id']);

  // In turn, so that of two accounts made at once one is the first.
  const made = await database
    .write([makeAccount, makeKeyRow], { isSerialized: true })
    .catch((error: unknown) => {
      if (error instanceof StorageError && error.code === 'unique') {
        throw new ServiceError('wrong_parameters', 'This key exists already; choose another.', {
          cause: error,
        });
      }
      throw error;
    });
  const row = made[1]?.rows[0];
  return {
    key,
    keyId: Number(row?.['id']),
    accountId: Number(row?.['account_id']),
    prefix: keyPrefix(key),
  };
}

/** Every key, revoked ones too, by account and age. */
export async function listKeys(database: Database): Promise<readonly ListedKey[]> {
  return await database.query
    .selectFrom('api_key')
    .innerJoin('account', 'account.id', 'api_key.account_id')
    .leftJoin('web_user as creator', 'creator.id', 'api_key.creator_user_id')
    .select([
      'api_key.id',
      'account.name as account',
      'api_key.prefix',
      'api_key.name',
      'api_key.created_at as createdAt',
      'api_key.expires_at as expiresAt',
      'api_key.revoked_at as revokedAt',
      'api_key.call_limit as callLimit',
      'api_key.calls_used as callsUsed',
      'api_key.scope',
      'api_key.creator_kind as creatorKind',
      'creator.email as creatorEmail',
    ])
    .where('api_key.is_web', '=', 0)
    .orderBy('account.id')
    .orderBy('api_key.id')
    .execute();
}

/** Revokes the key with this id, or the one key that starts so; it is refused from the next request on. */
export async function revokeKey(database: Database, clock: Clock, idOrPrefix: string): Promise<ListedKey> {
  const keys = await listKeys(database);
  const byId = keys.filter((key) => String(key.id) === idOrPrefix);
  // The whole key serves as well: its own prefix is looked for.
  const byPrefix = keys.filter(
    (key) =>
      idOrPrefix.length >= 4 && (key.prefix.startsWith(idOrPrefix) || idOrPrefix.startsWith(key.prefix)),
  );
  const found = byId.length > 0 ? byId : byPrefix;
  const [key] = found;
  if (!key) {
    throw new ServiceError(
      'wrong_parameters',
      'No key has this id or prefix; see: npm run -s lynceus -- keys list',
    );
  }
  if (found.length > 1) {
    const ids = found.map((each) => each.id).join(', ');
    throw new ServiceError('wrong_parameters', `Several keys start so; name one by its id: ${ids}`);
  }
  if (key.revokedAt !== null) return key;
  const revokedAt = clock();
  await database.write([
    database.query
      .updateTable('api_key')
      .set({ revoked_at: revokedAt })
      .where('id', '=', key.id)
      .where('revoked_at', 'is', null),
  ]);
  return { ...key, revokedAt };
}
