import { type Moment, toMomentText } from '../account/moment.js';
import { type ListOptions, listed, type Page, type PageOptions, paged, walkPages } from '../account/pages.js';
import { toPathPart } from '../account/path-part.js';
import type {
  AccessReceipt,
  AuditEntry,
  ChangedMember,
  Invitation,
  Member,
  MemberKeys,
  NewInvitation,
  Role,
} from '../api-types.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import { checked } from '../service/checked.js';

export interface UserSearch {
  /** A part of a name or mail address, in large or small letters. */
  readonly search?: string | undefined;
}

/** What becomes of the keys that a user created. */
export interface KeyChoices {
  /** `revoke` unless given. */
  readonly keys?: 'revoke' | 'keep' | undefined;
  /** Of drops, whose cameras would stop; `keep` unless given. */
  readonly dropKeys?: 'revoke' | 'keep' | undefined;
  /** That end with no user; `keep` unless given. */
  readonly unknownKeys?: 'revoke' | 'keep' | undefined;
}

export interface InvitationOptions extends CallOptions {
  readonly email: string;
  readonly role: Role;
}

export interface AuditFilter {
  /** Such as `keys.create`. */
  readonly action?: string | undefined;
  readonly userId?: number | undefined;
  /** The first moment that counts. */
  readonly from?: Moment | undefined;
  /** The first that counts no more. */
  readonly to?: Moment | undefined;
}

const keyChoices = { keys: 'optional', dropKeys: 'optional', unknownKeys: 'optional' } as const;
const filter = { action: 'optional', userId: 'optional', from: 'optional', to: 'optional' } as const;

/** The users of the account, for its owners. */
export function createMembers(send: Send) {
  const page = async (options: PageOptions & UserSearch = {}): Promise<Page<Member>> => {
    const { limit, cursor, search } = options;
    return ask(send, { method: 'GET', path: '/api/members', query: { limit, cursor, search } }, options);
  };
  const pathOf = (id: number) => `/api/members/${toPathPart('id', id)}`;
  const calls = {
    /** One page of `list`. */
    page,

    /** All of them, in the order of their coming, for `for await`. */
    list: (options: ListOptions & UserSearch = {}) => walkPages((cursor) => page({ ...options, cursor })),

    /** Gives another role; the last owner stays owner. A lesser role withdraws keys and invitations, as `remove` does. */
    change: async (
      id: number,
      options: CallOptions & KeyChoices & { readonly role: Role },
    ): Promise<ChangedMember> => {
      const { role, keys, dropKeys, unknownKeys } = options;
      const json = { role, keys, drop_keys: dropKeys, unknown_keys: unknownKeys };
      return ask(send, { method: 'PATCH', path: pathOf(id), json }, options);
    },

    /** The keys that a user created, themselves or by such a key, and that are not revoked; and those of unknown creators. */
    keys: async (id: number, options: CallOptions = {}): Promise<MemberKeys> =>
      ask(send, { method: 'GET', path: `${pathOf(id)}/keys` }, options),

    /**
     * Removes a user from the account: they are signed out at once, their open invitations are withdrawn and the keys that they
     * created revoked.
     */
    remove: async (id: number, options: CallOptions & KeyChoices = {}): Promise<AccessReceipt> => {
      const { keys, dropKeys, unknownKeys } = options;
      const query = { keys, drop_keys: dropKeys, unknown_keys: unknownKeys };
      return ask(send, { method: 'DELETE', path: pathOf(id), query }, options);
    },
  };
  return checked('members', calls, {
    page: [0, { search: 'optional', ...paged }],
    list: [0, { search: 'optional', ...listed }, true],
    change: [1, { ...keyChoices, role: 'needed' }],
    remove: [1, keyChoices],
  });
}

/** Invitations into the account, for its owners. */
export function createInvitations(send: Send) {
  const path = '/api/invitations';
  const page = async (options: PageOptions = {}): Promise<Page<Invitation>> => {
    const { limit, cursor } = options;
    return ask(send, { method: 'GET', path, query: { limit, cursor } }, options);
  };
  const calls = {
    /** One page of `list`. */
    page,

    /** Those that were not used yet, the newest first, for `for await`. */
    list: (options: ListOptions = {}) => walkPages((cursor) => page({ ...options, cursor })),

    /** This answer alone has the link. */
    create: async (options: InvitationOptions): Promise<NewInvitation> => {
      const { email, role } = options;
      return ask(send, { method: 'POST', path, json: { email, role }, creates: true }, options);
    },

    withdraw: async (id: number, options: CallOptions = {}): Promise<void> =>
      ask(send, { method: 'DELETE', path: `${path}/${toPathPart('id', id)}` }, options),
  };
  return checked('invitations', calls, {
    page: [0, paged],
    list: [0, listed, true],
    create: [0, { email: 'needed', role: 'needed' }],
  });
}

/** Who changed what, for the owners of the account. */
export function createAudit(send: Send) {
  const page = async (options: AuditFilter & PageOptions = {}): Promise<Page<AuditEntry>> => {
    const { action, userId, from, to, limit, cursor } = options;
    const moments = { from: toMomentText(from), to: toMomentText(to) };
    const query = { action, user_id: userId, ...moments, limit, cursor };
    return ask(send, { method: 'GET', path: '/api/audit', query }, options);
  };
  const calls = {
    /** One page of `list`. */
    page,

    /** All entries, the newest first, for `for await`. */
    list: (options: AuditFilter & ListOptions = {}) => walkPages((cursor) => page({ ...options, cursor })),
  };
  return checked('audit', calls, {
    page: [0, { ...filter, ...paged }],
    list: [0, { ...filter, ...listed }, true],
  });
}
