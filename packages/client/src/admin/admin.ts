import { type ListOptions, listed, type Page, type PageOptions, paged, walkPages } from '../account/pages.js';
import { toPathPart } from '../account/path-part.js';
import type {
  AccountDeletion,
  AdminAccount,
  AdminUser,
  CatalogueModel,
  NewInvitation,
  ResetLink,
  ServiceState,
  SettingInForce,
  SweepReport,
  SweptStoreName,
} from '../api-types.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import { checked } from '../service/checked.js';
import type { InvitationOptions, UserSearch } from '../users/members.js';
import { createCompatListeners } from './compat-listeners.js';

export interface ChangeAccountOptions extends CallOptions {
  /** Brings its own number of calls unless one is given. */
  readonly plan?: 'paid' | 'trial' | undefined;
  /** Calls in all, those used already among them; null: no limit. */
  readonly callLimit?: number | null | undefined;
  readonly resultDays?: number | undefined;
}

export interface CreateAccountOptions extends ChangeAccountOptions {
  readonly name: string;
}

export interface DeleteAccountOptions extends CallOptions {
  /** The account's name, to confirm which one is meant. */
  readonly name: string;
  /** Without a time of grace: nothing brings the account back. */
  readonly immediately?: boolean | undefined;
}

const fields = { plan: 'optional', callLimit: 'optional', resultDays: 'optional' } as const;

/** The whole service, for its administrators. */
export function createAdmin(send: Send) {
  const accountsPath = '/api/admin/accounts';
  const accountPath = (id: number) => `${accountsPath}/${toPathPart('id', id)}`;
  const accountsPage = async (options: PageOptions = {}): Promise<Page<AdminAccount>> => {
    const { limit, cursor } = options;
    return ask(send, { method: 'GET', path: accountsPath, query: { limit, cursor } }, options);
  };
  const deletionsPage = async (options: PageOptions = {}): Promise<Page<AccountDeletion>> => {
    const { limit, cursor } = options;
    const path = '/api/admin/account-deletions';
    return ask(send, { method: 'GET', path, query: { limit, cursor } }, options);
  };
  const deletionPath = (id: number) => `${accountPath(id)}/deletion`;
  const usersPage = async (options: PageOptions & UserSearch = {}): Promise<Page<AdminUser>> => {
    const { limit, cursor, search } = options;
    return ask(send, { method: 'GET', path: '/api/admin/users', query: { limit, cursor, search } }, options);
  };
  const calls = {
    accountsPage,

    /** All accounts, the newest first, for `for await`. */
    accounts: (options: ListOptions = {}) => walkPages((cursor) => accountsPage({ ...options, cursor })),

    createAccount: async (options: CreateAccountOptions): Promise<AdminAccount> => {
      const json = { name: options.name, ...toFields(options) };
      return ask(send, { method: 'POST', path: accountsPath, json, creates: true }, options);
    },

    changeAccount: async (id: number, options: ChangeAccountOptions): Promise<AdminAccount> =>
      ask(send, { method: 'PATCH', path: accountPath(id), json: toFields(options) }, options),

    deletionsPage,

    /** Deletions of accounts, asked for, under way and done, the newest first, for `for await`. */
    deletions: (options: ListOptions = {}) => walkPages((cursor) => deletionsPage({ ...options, cursor })),

    /** Closes an account at once, and deletes it and all that it has when its time of grace is over. */
    deleteAccount: async (accountId: number, options: DeleteAccountOptions): Promise<AccountDeletion> => {
      const { name, immediately } = options;
      return ask(
        send,
        { method: 'PUT', path: deletionPath(accountId), json: { name, immediately } },
        options,
      );
    },

    /** Opens a closed account again, until its deletion begins. */
    undeleteAccount: async (accountId: number, options: CallOptions = {}): Promise<void> =>
      ask(send, { method: 'DELETE', path: deletionPath(accountId) }, options),

    /** Invites a user into an account; this answer alone has the link. */
    invite: async (accountId: number, options: InvitationOptions): Promise<NewInvitation> => {
      const { email, role } = options;
      const path = `${accountPath(accountId)}/invitations`;
      return ask(send, { method: 'POST', path, json: { email, role }, creates: true }, options);
    },

    usersPage,

    /** Everybody who signs in, the newest first, for `for await`. */
    users: (options: ListOptions & UserSearch = {}) =>
      walkPages((cursor) => usersPage({ ...options, cursor })),

    /** A link by which the user sets another password; this answer alone has it. */
    resetUser: async (id: number, options: CallOptions = {}): Promise<ResetLink> => {
      const path = `/api/admin/users/${toPathPart('id', id)}/reset`;
      return ask(send, { method: 'POST', path, creates: true }, options);
    },

    /** How the service is. */
    service: async (options: CallOptions = {}): Promise<ServiceState> =>
      ask(send, { method: 'GET', path: '/api/admin/service' }, options),

    /** How the sweeps are, what is in quarantine, what waits. */
    sweeps: async (options: CallOptions = {}): Promise<SweepReport> =>
      ask(send, { method: 'GET', path: '/api/admin/sweeps' }, options),

    /** Lets a blocked sweep move the orphans that it found into quarantine; `conflict` where it found another number. */
    confirmSweep: async (
      store: SweptStoreName,
      options: CallOptions & { readonly orphans: number },
    ): Promise<SweepReport> => {
      const path = `/api/admin/sweeps/${toPathPart('store', store)}/confirm`;
      return ask(send, { method: 'POST', path, json: { orphans: options.orphans } }, options);
    },

    /** Ports for clients of other services that send no key. */
    compatListeners: createCompatListeners(send),

    /** The catalogue, and what of it is installed. */
    models: async (options: CallOptions = {}): Promise<{ readonly data: readonly CatalogueModel[] }> =>
      ask(send, { method: 'GET', path: '/api/admin/models' }, options),

    settings: async (options: CallOptions = {}): Promise<{ readonly data: readonly SettingInForce[] }> =>
      ask(send, { method: 'GET', path: '/api/admin/settings' }, options),
  };
  return checked('admin', calls, {
    accountsPage: [0, paged],
    accounts: [0, listed, true],
    createAccount: [0, { ...fields, name: 'needed' }],
    changeAccount: [1, fields],
    deletionsPage: [0, paged],
    deletions: [0, listed, true],
    deleteAccount: [1, { name: 'needed', immediately: 'optional' }],
    invite: [1, { email: 'needed', role: 'needed' }],
    usersPage: [0, { search: 'optional', ...paged }],
    users: [0, { search: 'optional', ...listed }, true],
    confirmSweep: [1, { orphans: 'needed' }],
  });
}

function toFields({ plan, callLimit, resultDays }: ChangeAccountOptions) {
  return { plan, call_limit: callLimit, result_days: resultDays };
}
