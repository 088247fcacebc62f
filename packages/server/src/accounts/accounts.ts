import type { Compilable } from 'kysely';
import type { Clock } from '../clock.js';
import type { Database } from '../storage/database.js';
import { createAllowance } from './allowance.js';
import { createAuthenticator } from './authenticate.js';
import type { Caller, Reservation } from './caller.js';
import { type CreatedKey, createKey, type ListedKey, listKeys, type NewKey, revokeKey } from './keys.js';
import { type ListedAccount, listAccounts } from './list-accounts.js';

export type { Caller, Reservation };

/** Accounts, their keys and their allowances. */
export interface Accounts {
  /** Null when the key is unknown, revoked or expired. */
  authenticate(key: string): Promise<Caller | null>;
  /** Throws `trial_limit` when the allowance is used up. */
  reserveCall(caller: Caller, operation: string): Promise<Reservation>;
  /** The call did not count after all. A second time for the same reservation does nothing. */
  giveBack(reservation: Reservation): Promise<void>;
  /**
   * The call counts for good, in one unit with these statements: all on disk when it resolves, or none of them. Throws
   * `invalid_api_key` or `trial_limit` when the key was revoked or the account limited since the call began.
   */
  settle(reservation: Reservation, statements: readonly Compilable[]): Promise<void>;
  createKey(wanted: NewKey): Promise<CreatedKey>;
  listKeys(): Promise<readonly ListedKey[]>;
  /** By id, by prefix or by the key itself. */
  revokeKey(idOrPrefix: string): Promise<ListedKey>;
  listAccounts(): Promise<readonly ListedAccount[]>;
}

export interface AccountsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly trialCalls: number;
  readonly resultDays: number;
}

export function createAccounts(options: AccountsOptions): Accounts {
  const { database, clock } = options;
  const allowance = createAllowance(database, clock);
  const givenBack = new WeakSet<Reservation>();
  return {
    authenticate: createAuthenticator(database, clock),
    reserveCall: (caller, operation) => allowance.reserve(caller, operation),
    async giveBack(reservation) {
      if (givenBack.has(reservation)) return;
      givenBack.add(reservation);
      await allowance.giveBack(reservation);
    },
    settle: (reservation, statements) => allowance.settle(reservation, statements),
    createKey: (wanted) => createKey(options, wanted),
    listKeys: () => listKeys(database),
    revokeKey: (idOrPrefix) => revokeKey(database, clock, idOrPrefix),
    listAccounts: () => listAccounts(database),
  };
}
