import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Audit } from '../accounts/audit/audit.js';
import type { Actor, AuditEvent } from '../accounts/audit/audit-event.js';
import { type CompatProtocol, readCompatSettings } from '../accounts/compat-settings.js';
import { creatorOf, mayAdminister } from '../accounts/creator.js';
import type { Clock } from '../core/clock.js';
import { parsePorts } from '../core/port-list.js';
import { ServiceError } from '../core/service-error.js';
import { environmentName } from '../core/setting-names.js';
import type { Settings } from '../core/settings.js';
import type { Database } from '../storage/database.js';
import { StorageError } from '../storage/storage-error.js';
import { checkListenHost, checkNetworks } from './allowed-networks.js';
import type { CompatKeys } from './compat-keys.js';

/** Where clients are answered that send no key: whoever comes from its networks has the access of its key. */
export interface CompatListener {
  readonly id: number;
  readonly accountId: number;
  readonly keyId: number;
  readonly keyName: string;
  /** Of the key as it is now. */
  readonly protocol: CompatProtocol;
  readonly host: string;
  readonly port: number;
  readonly networks: readonly string[];
  readonly createdAt: number;
  /** Its key was revoked or has expired: it refuses everything. */
  readonly isKeyOver: boolean;
}

export interface NewCompatListener {
  readonly keyId: number;
  readonly host: string;
  readonly port: number;
  readonly networks: readonly string[];
}

/** The listeners of the installation, in its database. */
export type CompatListenerStore = ReturnType<typeof createCompatListenerStore>;

interface CompatListenerStoreDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Pick<Audit, 'entry'>;
  readonly compatKeys: Pick<CompatKeys, 'findById'>;
  readonly settings: Pick<Settings, 'compatListenerPorts'>;
}

const Networks = Type.Array(Type.String());

export function createCompatListenerStore(deps: CompatListenerStoreDeps) {
  const { database, clock, audit, compatKeys } = deps;
  const { query } = database;
  const isAllowed = parsePorts(deps.settings.compatListenerPorts) ?? (() => false);

  const rows = () =>
    query
      .selectFrom('compat_listener')
      .innerJoin('api_key', 'api_key.id', 'compat_listener.key_id')
      .innerJoin('compat_key', 'compat_key.key_id', 'compat_listener.key_id')
      .select([
        'compat_listener.id',
        'compat_listener.account_id as accountId',
        'compat_listener.key_id as keyId',
        'compat_listener.host',
        'compat_listener.port',
        'compat_listener.networks',
        'compat_listener.created_at as createdAt',
        'api_key.name as keyName',
        'api_key.revoked_at as revokedAt',
        'api_key.expires_at as expiresAt',
        'compat_key.settings',
      ])
      .orderBy('compat_listener.id');
  const refusalOf = (port: number) =>
    isAllowed(port)
      ? null
      : `port ${port} is not one of the setting compatListenerPorts (${environmentName('compatListenerPorts')})`;
  const eventOf = (
    what: 'create' | 'delete',
    { host, port, keyId, networks }: NewCompatListener,
    id?: number,
  ): AuditEvent => ({
    action: `compat_listeners.${what}`,
    subject: { kind: 'compat_listener', id: id ?? null, name: `${host} ${port}` },
    details: { key_id: keyId, allowed_networks: networks },
  });

  return {
    /** Why no listener may be at a port; null where one may. */
    refusalOf,

    /** In the order in which they were made. */
    async list(): Promise<readonly CompatListener[]> {
      return (await rows().execute()).map((row) => toListener(row, clock()));
    },

    /**
     * Throws `wrong_parameters`, also for a port that the settings do not name and a key for anything else; `conflict` for a port that
     * has one; `not_allowed` for who is no administrator any more.
     */
    async create(actor: Actor, wanted: NewCompatListener): Promise<CompatListener> {
      const refusal = refusalOf(wanted.port);
      if (refusal !== null) throw new ServiceError('wrong_parameters', `port: ${refusal}`);
      const checked = {
        ...wanted,
        host: checkListenHost(wanted.host),
        networks: checkNetworks(wanted.networks),
      };
      const { host, port, keyId, networks } = checked;
      const access = await compatKeys.findById(keyId);
      if (access === null) {
        throw new ServiceError(
          'wrong_parameters',
          `key_id: ${keyId} is no good key for clients of other services`,
        );
      }
      const { accountId } = access.caller;
      const [made] = await database
        .write([
          query
            .insertInto('compat_listener')
            .values({
              ...{ account_id: accountId, key_id: keyId, host, port },
              ...{ networks: JSON.stringify(networks), created_at: clock() },
            })
            .returning('id'),
          audit.entry(accountId, actor, eventOf('create', checked), {
            onlyIf: mayAdminister(creatorOf(actor)),
          }),
        ])
        .catch((error: unknown) => {
          if (!(error instanceof StorageError && error.code === 'unique')) return throwNoAdministrator(error);
          throw new ServiceError('conflict', `port ${port} has a listener already`, { cause: error });
        });
      const id = Number(made?.rows[0]?.['id']);
      return toListener(await rows().where('compat_listener.id', '=', id).executeTakeFirstOrThrow(), clock());
    },

    /** Throws `not_found`, and `not_allowed`. */
    async remove(actor: Actor, id: number) {
      const row = await rows().where('compat_listener.id', '=', id).executeTakeFirst();
      if (!row) throw new ServiceError('not_found', 'there is no listener of this id');
      const listener = toListener(row, clock());
      await database
        .write([
          query.deleteFrom('compat_listener').where('id', '=', id),
          audit.entry(listener.accountId, actor, eventOf('delete', listener, id), {
            onlyIf: mayAdminister(creatorOf(actor)),
          }),
        ])
        .catch(throwNoAdministrator);
    },
  };
}

function toListener(
  {
    settings,
    networks,
    revokedAt,
    expiresAt,
    ...row
  }: Omit<CompatListener, 'networks' | 'protocol' | 'isKeyOver'> & {
    readonly settings: string;
    readonly networks: string;
    readonly revokedAt: number | null;
    readonly expiresAt: number | null;
  },
  nowMs: number,
): CompatListener {
  return {
    ...row,
    isKeyOver: revokedAt !== null || (expiresAt !== null && expiresAt <= nowMs),
    protocol: readCompatSettings(settings).protocol,
    networks: Value.Parse(Networks, JSON.parse(networks)),
  };
}

function throwNoAdministrator(error: unknown): never {
  if (!(error instanceof StorageError && error.code === 'not-null')) throw error;
  throw new ServiceError('not_allowed', 'you are no administrator any more', { cause: error });
}
