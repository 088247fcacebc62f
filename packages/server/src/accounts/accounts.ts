import type { Compilable } from 'kysely';
import { ServiceError } from '../core/service-error.js';
import type { Database, WriteResult } from '../storage/database.js';
import type { Page, PageRequest } from '../storage/page.js';
import { createAllowance, type EndedCall } from './allowance.js';
import { createAuthenticator } from './authenticate.js';
import type { Caller, Reservation } from './caller.js';
import { type AccountChange, changeAccount } from './change-account.js';
import { type CreatedKey, createKey, type ListedKey, listKeys, type NewKey, revokeKey } from './keys.js';
import { type ListedAccount, listAccounts } from './list-accounts.js';
import { type AccountDependencies, createAccount, type NewAccount, type Plan } from './new-account.js';
import { createOwnKeys } from './own-keys.js';
import {
  readUsage,
  sumUsage,
  type UsageGroup,
  type UsagePosition,
  type UsageQuery,
  type UsageRow,
  type UsageSum,
} from './read-usage.js';

/** An account as its own users see it. */
export interface AccountState {
  readonly id: number;
  readonly name: string;
  readonly plan: Plan;
  /** Calls in all; null: no limit. */
  readonly callLimit: number | null;
  readonly callsUsed: number;
  /** Days for which results are kept; 0: not at all. */
  readonly resultDays: number;
  readonly createdAt: number;
}

export type { Caller, EndedCall, Reservation };

/** Accounts, their keys and their allowances. */
export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts(options: AccountDependencies) {
  const { database, clock } = options;
  const authenticator = createAuthenticator(database, clock);
  const { authenticate, authenticateAfresh, authenticateDrop, ownerOfKey, forget } = authenticator;
  const allowance = createAllowance(database, clock);
  const givenBack = new WeakSet<Reservation>();
  return {
    /** Null when the key is unknown, revoked or expired, and for the key of a drop, which opens that alone. */
    authenticate,
    /** The same, never from memory: a key that may manage an account must be good now. */
    authenticateAfresh,
    /** The same for the key of a drop, and no other. */
    authenticateDrop,
    /** Whose a key is that is known by its id alone; null when it is revoked or expired. For work that goes on by itself. */
    ownerOfKey,
    /** Throws `trial_limit` or `key_limit` when the calls of the account or of the key are used up; counts nothing. */
    checkCallsLeft: (caller: Caller) => allowance.checkCallsLeft(caller),
    /** The same, and counts a call. */
    reserveCall: (caller: Caller, operation: string): Promise<Reservation> =>
      allowance.reserve(caller, operation),
    /** The call did not count after all; one that was ended stands in the usage as failed. A second time for the same reservation does nothing. */
    async giveBack(reservation: Reservation, ended?: EndedCall) {
      if (givenBack.has(reservation)) return;
      givenBack.add(reservation);
      await allowance.giveBack(reservation, ended);
    },
    /**
     * The call counts for good, in one unit with these statements: all on disk when it resolves, or none of them. Throws
     * `invalid_api_key`, `trial_limit` or `key_limit` when the key was revoked or a limit set since the call began.
     */
    settle: (reservation: Reservation, statements: readonly Compilable[]): Promise<readonly WriteResult[]> =>
      allowance.settle(reservation, statements),
    createKey: (wanted: NewKey): Promise<CreatedKey> => createKey(options, wanted),
    listKeys: (): Promise<readonly ListedKey[]> => listKeys(database),
    /** By id, by prefix or by the key itself. */
    revokeKey: (idOrPrefix: string): Promise<ListedKey> => revokeKey(database, clock, idOrPrefix),
    /** Throws `conflict` when there is one of this name. */
    createAccount: (wanted: NewAccount) => createAccount(options, wanted),
    /** By name, durable when it resolves. Throws `wrong_parameters` when there is no such account. */
    changeAccount: (name: string, change: AccountChange) => changeAccount(options, name, change),
    listAccounts: (): Promise<readonly ListedAccount[]> => listAccounts(database),
    /** The key was revoked elsewhere: from now on the database is read again. */
    forgetKey: forget,
    /** What an account itself may do and see. */
    ownKeys: createOwnKeys({ database, clock, onChange: forget }),
    readAccount: (accountId: number): Promise<AccountState> => readAccount(database, accountId),
    sumUsage: (
      accountId: number,
      wanted: UsageQuery,
      by: UsageGroup,
    ): Promise<{ readonly sums: readonly UsageSum[]; readonly total: number }> =>
      sumUsage(database, accountId, wanted, by),
    readUsage: (
      accountId: number,
      wanted: UsageQuery,
      page: PageRequest<UsagePosition>,
    ): Promise<Page<UsageRow, UsagePosition> & { readonly total: number }> =>
      readUsage(database, accountId, wanted, page),
  };
}

async function readAccount({ query }: Pick<Database, 'query'>, accountId: number): Promise<AccountState> {
  const account = await query
    .selectFrom('account')
    .select([
      'id',
      'name',
      'plan',
      'call_limit as callLimit',
      'calls_used as callsUsed',
      'result_days as resultDays',
      'created_at as createdAt',
    ])
    .where('id', '=', accountId)
    .executeTakeFirst();
  if (!account) throw new ServiceError('not_found', 'the account is no longer there');
  return account;
}
