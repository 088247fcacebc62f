import { type Static, Type } from 'typebox';
import { defaultKeyChoices } from '../../../accounts/users/member-access.js';
import type {
  MemberKey as DomainKey,
  Member as DomainMember,
  AccessReceipt as DomainReceipt,
  KeyChoices,
} from '../../../accounts/users/members.js';
import { toAnswer } from '../answer.js';
import { exactly, Id, Time, TimeOrNull } from '../fields.js';
import { Key, toKey } from '../keys.js';
import { PageOf, pageRequest, paging, toPageAnswer } from '../paging.js';
import type { ApiDeps, ApiScope } from '../scope.js';
import { Role, UserSearch } from '../session/fields.js';
import { authenticatedUserOf } from '../session/signed-in.js';

export const Member = Type.Object(
  {
    id: Id,
    email: Type.String(),
    name: Type.String(),
    role: Role,
    is_administrator: Type.Boolean({ description: 'whether they look after the whole service' }),
    has_totp: Type.Boolean(),
    created_at: Time,
    signed_in_at: TimeOrNull,
  },
  { title: 'Member', description: 'A user of the account' },
);
const MemberList = PageOf(Member, 'A page of people');
export const MemberKey = Type.Object(
  {
    ...Key.properties,
    drop: Type.Union([Type.Object({ id: Id, name: Type.String() }), Type.Null()], {
      description: 'that it opens',
    }),
  },
  { title: 'MemberKey', description: 'A key that a user created and that is not revoked' },
);
export const MemberKeys = Type.Object(
  {
    data: Type.Array(MemberKey, { description: 'that the user created, themselves or by such a key' }),
    unknown: Type.Array(MemberKey, {
      description:
        'keys of the account that lead to no user: their creators have left, or were users of an account that was deleted',
    }),
  },
  { title: 'MemberKeys', description: 'The keys, the oldest first' },
);
const NamedKeys = Type.Array(
  Type.Object({ id: Id, prefix: Type.String(), name: Type.String() }, { title: 'NamedKey' }),
);
const KeyReceipt = Type.Object({ revoked: NamedKeys, kept: NamedKeys });
export const AccessReceipt = Type.Object(
  {
    keys: KeyReceipt,
    drop_keys: KeyReceipt,
    unknown_keys: KeyReceipt,
    invitations_withdrawn: Type.Integer(),
    links_withdrawn: Type.Integer({ description: 'by which others would have set another password' }),
  },
  { title: 'AccessReceipt', description: 'What became of the keys, invitations and links that they created' },
);
export const ChangedMember = Type.Object(
  { ...Member.properties, receipt: AccessReceipt },
  {
    title: 'ChangedMember',
    description: 'The member, and what became of the keys, invitations and links that they created',
  },
);
const KeyChoice = (keys: string) =>
  Type.Optional(Type.Enum(['revoke', 'keep'], { description: `revoke or keep: ${keys}` }));
const choices = {
  keys: KeyChoice('what becomes of the keys that they created, revoke unless given'),
  drop_keys: KeyChoice('the same of keys of drops, whose cameras would stop; keep unless given'),
  unknown_keys: KeyChoice(
    'the same of keys that end with no user (`unknown` of their list), which anybody may use; keep unless given',
  ),
};
const MemberParams = Type.Object({ id: Id });
const tags = ['members'];

/** The people of the account, for its owners. */
export function addMemberRoutes(app: ApiScope, { users }: ApiDeps): void {
  const { members } = users;

  app.get('/members', {
    config: { right: 'owner' },
    schema: {
      tags,
      operationId: 'listMembers',
      summary: 'People who sign in to this account, in the order of their coming; for owners',
      querystring: exactly({ ...paging, search: Type.Optional(UserSearch) }),
      response: { 200: MemberList },
    },
    async handler(request) {
      const { search } = request.query;
      const { accountId } = authenticatedUserOf(request);
      const page = await members.list(accountId, { search }, pageRequest(Id, request.query));
      return toPageAnswer(page, toMember);
    },
  });

  app.patch('/members/:id', {
    config: { right: 'owner', audit: 'itself' },
    schema: {
      tags,
      operationId: 'changeMember',
      summary: 'Changes the role of a user; the last owner stays owner',
      description:
        'A lesser role revokes the keys that they created, and those that these created, unless `keys` says otherwise. Who is owner no more ' +
        'has their open invitations withdrawn.',
      params: MemberParams,
      body: exactly({ role: Role, ...choices }),
      response: { 200: ChangedMember },
    },
    async handler(request) {
      const { accountId, actor } = authenticatedUserOf(request);
      const { role, ...given } = request.body;
      const changed = await members.changeRole(accountId, actor, request.params.id, role, toChoices(given));
      return { ...toMember(changed.member), receipt: toReceipt(changed.receipt) };
    },
  });

  app.get('/members/:id/keys', {
    config: { right: 'owner' },
    schema: {
      tags,
      operationId: 'listKeysOfMember',
      summary: 'Keys that a user created, directly or by such a key, and that are not revoked; for owners',
      params: MemberParams,
      response: { 200: MemberKeys },
    },
    async handler(request) {
      const { accountId } = authenticatedUserOf(request);
      const { created, unknown } = await members.keys(accountId, request.params.id);
      return { data: created.map(toMemberKey), unknown: unknown.map(toMemberKey) };
    },
  });

  app.delete('/members/:id', {
    config: { right: 'owner', audit: 'itself' },
    schema: {
      tags,
      operationId: 'removeMember',
      summary: 'Removes a user from the account: they are signed out at once; the last owner stays',
      description:
        'Their open invitations and links are withdrawn, and the keys that they created, and those that these created, revoked, at the same ' +
        'moment. Keys of drops stay unless `drop_keys` is `revoke`.',
      params: MemberParams,
      querystring: exactly(choices),
      response: { 200: AccessReceipt },
    },
    async handler(request) {
      const { accountId, actor } = authenticatedUserOf(request);
      return toReceipt(await members.remove(accountId, actor, request.params.id, toChoices(request.query)));
    },
  });
}

function toChoices(given: {
  readonly keys?: 'revoke' | 'keep';
  readonly drop_keys?: 'revoke' | 'keep';
  readonly unknown_keys?: 'revoke' | 'keep';
}): KeyChoices {
  return {
    keys: given.keys ?? defaultKeyChoices.keys,
    dropKeys: given.drop_keys ?? defaultKeyChoices.dropKeys,
    unknownKeys: given.unknown_keys ?? defaultKeyChoices.unknownKeys,
  };
}

function toMemberKey(key: DomainKey): Static<typeof MemberKey> {
  return { ...toKey(key, null, true), drop: key.drop && { id: key.drop.id, name: key.drop.name } };
}

export function toReceipt(receipt: DomainReceipt): Static<typeof AccessReceipt> {
  const named = ({ revoked, kept }: DomainReceipt['keys']) => ({ revoked: [...revoked], kept: [...kept] });
  return {
    keys: named(receipt.keys),
    drop_keys: named(receipt.dropKeys),
    unknown_keys: named(receipt.unknownKeys),
    invitations_withdrawn: receipt.invitationsWithdrawn,
    links_withdrawn: receipt.linksWithdrawn,
  };
}

export function toMember(member: DomainMember): Static<typeof Member> {
  return toAnswer(Member, member);
}
