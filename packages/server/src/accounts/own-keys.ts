import { type ExpressionBuilder, sql } from 'kysely';
import type { Clock } from '../core/clock.js';
import { ServiceError } from '../core/service-error.js';
import type { Database } from '../storage/database.js';
import { type Page, type PageRequest, toPage } from '../storage/page.js';
import type { Schema } from '../storage/schema.js';
import { checkExpiry } from './check-fields.js';
import { createOwnKey } from './create-own-key.js';
import { byOperator, type Creator, mayCreateKeys } from './creator.js';
import { checkKeyName } from './key-name.js';
import { type NewOwnKey, type OwnKey, type OwnKeyChange, ownKeyColumns } from './own-key.js';

export type { OwnKey };

/** What an account does with its own keys. A key of another account is `not_found`, as one that there is not. */
export type OwnKeys = ReturnType<typeof createOwnKeys>;

export interface KeyChangeOptions {
  readonly force: boolean;
  /** Who asks: `not_allowed` where they may create no keys any more at the moment of the change. Absent: the service itself. */
  readonly by?: Creator;
}

interface OwnKeysDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** Called for each key that was changed or revoked. */
  readonly onChange: (keyId: number) => void;
}

export function createOwnKeys({ database, clock, onChange }: OwnKeysDeps) {
  const { query } = database;

  const read = async (accountId: number, keyId: number): Promise<OwnKey> => {
    const key = await query
      .selectFrom('api_key')
      .select(ownKeyColumns)
      .where('id', '=', keyId)
      .where('account_id', '=', accountId)
      .where('is_web', '=', 0)
      .executeTakeFirst();
    if (!key) throw new ServiceError('not_found', `key ${keyId} is not one of your keys`);
    return key;
  };

  /** One that lets nobody in as it is may go, and any other while a second good one stays. */
  const leavesAWayIn = (accountId: number, keyId: number) => (row: ExpressionBuilder<Schema, 'api_key'>) => {
    const goodKeys = query
      .selectFrom('api_key as good')
      .select('good.id')
      .where('good.account_id', '=', accountId)
      .where('good.revoked_at', 'is', null)
      .where((key) => key.or([key('good.expires_at', 'is', null), key('good.expires_at', '>', clock())]))
      // One with a limit lets nobody in who could make another, nor does a drop's.
      .where('good.scope', '=', 'account')
      .where('good.is_web', '=', 0)
      .where('good.call_limit', 'is', null);
    return row.or([row('id', 'not in', goodKeys), row.exists(goodKeys.where('good.id', '<>', keyId))]);
  };

  const requireManager = async (accountId: number, by: Creator): Promise<void> => {
    const manager = await query
      .selectFrom('account')
      .select('id')
      .where('id', '=', accountId)
      .where(mayCreateKeys(by, accountId, clock()))
      .executeTakeFirst();
    if (!manager) throw new ServiceError('not_allowed', 'you manage no keys any more');
  };

  return {
    /** The newest first, revoked ones too; a position is a key's id. */
    async list(accountId: number, { limit, after }: PageRequest<number>): Promise<Page<OwnKey, number>> {
      let rows = query
        .selectFrom('api_key')
        .select(ownKeyColumns)
        .where('account_id', '=', accountId)
        .where('is_web', '=', 0);
      if (after !== undefined) rows = rows.where('id', '<', after);
      const found = await rows
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute();
      return toPage(found, limit, (key) => key.id);
    },

    /**
     * The key itself is in the answer and nowhere else. Throws `conflict` when the account has too many, and
     * `too_many_requests` when it makes them too fast.
     */
    create: (accountId: number, wanted: NewOwnKey): Promise<OwnKey & { readonly key: string }> =>
      createOwnKey({ database, clock }, accountId, wanted),

    /**
     * Throws `conflict` for a revoked key and for a drop's, which changes with its drop alone; and, unless `force` says so, where the last good key of the account would get an
     * end or a limit of calls.
     */
    async change(
      accountId: number,
      keyId: number,
      change: OwnKeyChange,
      { force, by = byOperator }: KeyChangeOptions,
    ): Promise<OwnKey> {
      const name = change.name === undefined ? undefined : await checkKeyName(database, change.name);
      const { expiresAt, callLimit } = change;
      if (expiresAt !== undefined) checkExpiry(expiresAt, clock());
      const weakens = (expiresAt ?? callLimit ?? null) !== null;
      let update = query
        .updateTable('api_key')
        .set({
          // To itself rather than to nothing: an UPDATE needs a column.
          name: name ?? sql<string>`name`,
          ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
          ...(callLimit === undefined ? {} : { call_limit: callLimit }),
        })
        .where('id', '=', keyId)
        .where('account_id', '=', accountId)
        .where('scope', '<>', 'drop')
        .where('is_web', '=', 0)
        .where('revoked_at', 'is', null)
        .where(mayCreateKeys(by, accountId, clock()));
      if (weakens && !force) update = update.where(leavesAWayIn(accountId, keyId));
      const [changed] = await database.write([update], { isSerialized: weakens });
      const key = await read(accountId, keyId);
      if (changed?.changes !== 1) {
        await requireManager(accountId, by);
        if (key.scope === 'drop') {
          throw new ServiceError(
            'conflict',
            `key ${keyId} is the key of a drop and stays as it is: give the drop another, or revoke it`,
          );
        }
        if (key.revokedAt === null) throw lastGoodKey();
        throw new ServiceError('conflict', `key ${keyId} was revoked; make a new one`);
      }
      onChange(keyId);
      return key;
    },

    /**
     * It is refused from the next request on. Throws `conflict` for the last good key of the account unless `force` says
     * that nobody need get in any more. Revoking twice is the same as once.
     */
    async revoke(accountId: number, keyId: number, { force, by = byOperator }: KeyChangeOptions) {
      let revocation = query
        .updateTable('api_key')
        .set({ revoked_at: clock() })
        .where('id', '=', keyId)
        .where('account_id', '=', accountId)
        .where('is_web', '=', 0)
        .where('revoked_at', 'is', null)
        .where(mayCreateKeys(by, accountId, clock()));
      if (!force) revocation = revocation.where(leavesAWayIn(accountId, keyId));
      // In turn, so that two requests do not each leave the other's key as the last good one.
      const [revoked] = await database.write([revocation], { isSerialized: true });
      if (revoked?.changes === 1) {
        onChange(keyId);
        return;
      }
      await requireManager(accountId, by);
      const key = await read(accountId, keyId);
      if (key.revokedAt === null) throw lastGoodKey();
    },
  };
}

function lastGoodKey(): ServiceError {
  return new ServiceError(
    'conflict',
    'this is the last good key of the account: make another first, or repeat with force=true',
  );
}
