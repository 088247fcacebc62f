import { LRUCache } from 'lru-cache';
import type { Caller } from '../accounts/caller.js';
import {
  type CompatSettings,
  type ManageCompatKeys,
  readCompatSettings,
  writeCompatSettings,
} from '../accounts/compat-settings.js';
import { mayCreateKeys } from '../accounts/creator.js';
import { hashKey, maxKeyLength } from '../accounts/key.js';
import type { OwnKeys } from '../accounts/own-keys.js';
import type { Clock } from '../core/clock.js';
import { ServiceError } from '../core/service-error.js';
import type { FaceDatabase } from '../faces/face-database.js';
import { noSuchPerception } from '../faces/perception-rows.js';
import type { ChooseModel } from '../recognition/choose-model.js';
import type { Database } from '../storage/database.js';

/** Whom a key lets in, and what it says in the place of its client. */
export interface CompatAccess {
  readonly caller: Caller;
  readonly settings: CompatSettings;
}

/** Keys for clients of other services: each speaks one protocol, and opens nothing else. */
export interface CompatKeys extends ManageCompatKeys {
  /** Null when it is unknown, revoked or expired, of a closed account, or a key for anything else. */
  find(key: string, how?: { readonly isAfresh: boolean }): Promise<CompatAccess | null>;
  /** The same by its id, for listeners. */
  findById(keyId: number): Promise<CompatAccess | null>;
}

interface CompatKeysDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly ownKeys: Pick<OwnKeys, 'create'>;
  readonly chooseModel: ChooseModel;
  readonly faces: Pick<FaceDatabase, 'perceptions'>;
}

/** As long as keys of accounts are: a call that is settled asks the database again. */
const rememberedMs = 1000;
const maxRemembered = 10_000;

export function createCompatKeys(deps: CompatKeysDeps): CompatKeys {
  const { database, clock, ownKeys, chooseModel, faces } = deps;
  const { query } = database;
  const remembered = new LRUCache<string, Found>({ max: maxRemembered, ttl: rememberedMs });

  const good = () =>
    query
      .selectFrom('compat_key')
      .innerJoin('api_key', 'api_key.id', 'compat_key.key_id')
      .innerJoin('account', 'account.id', 'api_key.account_id')
      .select([
        'compat_key.settings',
        'api_key.id as keyId',
        'api_key.expires_at as expiresAt',
        'api_key.call_limit as keyLimit',
        'account.id as accountId',
        'account.result_days as resultDays',
        'account.call_limit as accountLimit',
        'account.exact_rate_limits as exactRateLimits',
      ])
      .where('api_key.scope', '=', 'compat')
      .where('api_key.revoked_at', 'is', null)
      .where('account.closed_at', 'is', null);
  const unlessExpired = (found: Found | undefined): CompatAccess | null =>
    found === undefined || (found.expiresAt !== null && found.expiresAt <= clock()) ? null : found.access;

  const check = async (accountId: number, settings: CompatSettings): Promise<CompatSettings> => {
    for (const model of [settings.model, ...Object.values(settings.models)]) {
      if (model !== null) await chooseModel(accountId, model, 'object_detection').catch(nameField);
    }
    if (settings.perception === null) {
      if (settings.protocol !== 'compreface') return settings;
      throw new ServiceError(
        'wrong_parameters',
        'compat.perception (--perception) must be given: clients of CompreFace name faces',
      );
    }
    const perception = await faces.perceptions.find(accountId, settings.perception);
    if (perception === null) throw noSuchPerception(settings.perception);
    return { ...settings, perception: perception.uid };
  };

  return {
    async find(key, { isAfresh } = { isAfresh: false }) {
      if (key.length === 0 || key.length > maxKeyLength) return null;
      const hash = hashKey(key);
      const known = isAfresh ? undefined : remembered.get(hash);
      if (known) return unlessExpired(known);
      const row = await good().where('api_key.hash', '=', hash).executeTakeFirst();
      if (!row) return null;
      const found = toFound(row);
      remembered.set(hash, found);
      return unlessExpired(found);
    },

    async findById(keyId) {
      const row = await good().where('api_key.id', '=', keyId).executeTakeFirst();
      return unlessExpired(row && toFound(row));
    },

    async create(accountId, { settings, ...wanted }) {
      const text = writeCompatSettings(await check(accountId, settings));
      return ownKeys.create(accountId, {
        ...wanted,
        scope: 'compat',
        alongside: (hash) => [
          query
            .insertInto('compat_key')
            .columns(['key_id', 'account_id', 'settings'])
            .expression((from) =>
              from
                .selectFrom('api_key')
                .select(({ cast, val }) => [
                  'api_key.id as key_id',
                  'api_key.account_id as account_id',
                  cast<string>(val(text), 'text').as('settings'),
                ])
                .where('api_key.hash', '=', hash),
            ),
        ],
      });
    },

    async change(accountId, keyId, settings, by) {
      const text = writeCompatSettings(await check(accountId, settings));
      const [changed] = await database.write([
        query
          .updateTable('compat_key')
          .set({ settings: text })
          .where('account_id', '=', accountId)
          .where('key_id', '=', keyId)
          .where(mayCreateKeys(by, accountId, clock())),
      ]);
      if (changed?.changes !== 1) {
        throw new ServiceError('conflict', `key ${keyId} is no key for clients of other services`);
      }
      for (const [hash, { access }] of remembered.entries()) {
        if (access.caller.keyId === keyId) remembered.delete(hash);
      }
    },
  };
}

interface Found {
  readonly access: CompatAccess;
  readonly expiresAt: number | null;
}

function toFound(row: {
  readonly settings: string;
  readonly keyId: number;
  readonly expiresAt: number | null;
  readonly keyLimit: number | null;
  readonly accountId: number;
  readonly resultDays: number;
  readonly accountLimit: number | null;
  readonly exactRateLimits: number;
}): Found {
  const { accountId, keyId, resultDays, expiresAt } = row;
  return {
    access: {
      caller: {
        accountId,
        keyId,
        resultDays,
        hasLimit: row.accountLimit !== null || row.keyLimit !== null,
        managesKeys: false,
        hasExactRateLimits: row.exactRateLimits === 1,
      },
      settings: readCompatSettings(row.settings),
    },
    expiresAt,
  };
}

/** The errors of models name the parameter of predictions. */
function nameField(error: unknown): never {
  if (!(error instanceof ServiceError)) throw error;
  throw new ServiceError(error.code, error.message.replace(/^model_id/, 'compat.model'));
}
