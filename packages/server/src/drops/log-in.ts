import type { Accounts } from '../accounts/accounts.js';
import type { Database } from '../storage/database.js';
import type { DropFolders, LogInByKey, LogInToDrop } from './drop-folders.js';
import { readSettings } from './drop-settings.js';
import type { DropRef } from './files/file-rows.js';

export interface LogInDeps {
  readonly database: Pick<Database, 'query'>;
  readonly accounts: Pick<Accounts, 'authenticateDrop' | 'ownerOfKey'>;
  readonly foldersOf: (drop: DropRef) => DropFolders;
  /** Below which each drop has a host name of its own; empty where there is none. */
  readonly dropDomain: string;
}

/** By the drop's user name and its own key, which nothing else of the account opens. */
export function createLogIn(deps: LogInDeps): LogInToDrop {
  const { database, accounts, foldersOf, dropDomain } = deps;
  return async ({ userName, password, host }) => {
    const wanted = userName.trim().toLowerCase();
    const caller = await accounts.authenticateDrop(password);
    if (caller === null || isForeignHost(host, wanted, dropDomain)) return null;
    const row = await database.query
      .selectFrom('drop_box')
      .select(['account_id', 'id'])
      .where('key_id', '=', caller.keyId)
      .where('user_name', '=', wanted)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (!row) return null;
    const drop = { accountId: row.account_id, dropId: row.id };
    return { ...drop, folders: foldersOf(drop), isOpen: () => isOpen(deps, drop, caller.keyId) };
  };
}

/**
 * By a public key that the drop's settings name. Whether the client has the private one is to be checked by the caller. The drop's
 * own key has to be valid too, since it pays for the calls.
 */
export function createLogInByKey(deps: LogInDeps): LogInByKey {
  const { database, accounts, foldersOf } = deps;
  return async ({ userName, publicKey }) => {
    const find = async () => {
      const row = await database.query
        .selectFrom('drop_box')
        .select(['account_id', 'id', 'key_id', 'settings'])
        .where('user_name', '=', userName.trim().toLowerCase())
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      if (!row || !isAuthorized(row.settings, publicKey)) return null;
      return (await accounts.ownerOfKey(row.key_id)) === null ? null : row;
    };
    const row = await find();
    if (row === null) return null;
    const drop = { accountId: row.account_id, dropId: row.id };
    return { ...drop, folders: foldersOf(drop), isOpen: async () => (await find())?.id === row.id };
  };
}

function isAuthorized(settings: string, publicKey: Buffer): boolean {
  // Lines are kept in one form: to parse the keys would take long.
  const encoded = publicKey.toString('base64');
  return readSettings(settings).authorizedKeys.some((line) => line.split(' ')[1] === encoded);
}

/** Asked of the database, for a command may have revoked the key. */
async function isOpen(
  { database, accounts }: LogInDeps,
  { accountId, dropId }: DropRef,
  keyId: number,
): Promise<boolean> {
  const [owner, row] = await Promise.all([
    accounts.ownerOfKey(keyId),
    database.query
      .selectFrom('drop_box')
      .select('id')
      .where('account_id', '=', accountId)
      .where('id', '=', dropId)
      .where('key_id', '=', keyId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst(),
  ]);
  return owner !== null && row !== undefined;
}

/** The personal host name of a drop; null where the installation has no domain for them. */
export function hostNameOf(userName: string, dropDomain: string): string | null {
  return dropDomain === '' ? null : `${userName}.${dropDomain}`;
}

/** A host that a client named (RFC 7151) below the drops' domain must be the drop's own. */
function isForeignHost(host: string | null, userName: string, dropDomain: string): boolean {
  if (host === null || dropDomain === '') return false;
  const named = host.toLowerCase().replace(/\.$/, '');
  return (
    named.endsWith(`.${dropDomain.toLowerCase()}`) && named !== hostNameOf(userName, dropDomain.toLowerCase())
  );
}
