import { type Static, Type } from 'typebox';
import type { Member as DomainMember } from '../../accounts/people/members.js';
import { readCursor, writeCursor } from '../cursor.js';
import {
  defaultLimit,
  exactly,
  Id,
  NextCursor,
  paging,
  Time,
  TimeOrNull,
  toTime,
  toTimeOrNull,
} from '../fields.js';
import type { ApiDeps, ApiScope } from '../scope.js';
import { PeopleSearch, Role } from '../session/fields.js';
import { personOf } from '../session/signed-in.js';

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
  { description: 'Somebody of the account' },
);
export const MemberList = Type.Object(
  { data: Type.Array(Member), next_cursor: NextCursor },
  { description: 'A page of people' },
);
const MemberParams = Type.Object({ id: Id });
const tags = ['members'];

/** The people of the account, for its owners. */
export function addMemberRoutes(app: ApiScope, { people }: Pick<ApiDeps, 'people'>): void {
  const { members } = people;

  app.get(
    '/members',
    {
      schema: {
        tags,
        operationId: 'listMembers',
        summary: 'People who sign in to this account, in the order of their coming; for owners',
        querystring: exactly({ ...paging, search: Type.Optional(PeopleSearch) }),
        response: { 200: MemberList },
      },
    },
    async (request) => {
      const { limit = defaultLimit, cursor, search } = request.query;
      const { accountId } = personOf(request);
      const page = await members.list(accountId, { search }, { limit, after: readCursor(Id, cursor) });
      return {
        data: page.items.map(toMember),
        next_cursor: page.next === null ? null : writeCursor(page.next),
      };
    },
  );

  app.patch(
    '/members/:id',
    {
      schema: {
        tags,
        operationId: 'changeMember',
        summary: 'Gives somebody another role; the last owner stays owner',
        params: MemberParams,
        querystring: exactly({}),
        body: exactly({ role: Role }),
        response: { 200: Member },
      },
    },
    async (request) => {
      const { accountId, actor } = personOf(request);
      return toMember(await members.changeRole(accountId, actor, request.params.id, request.body.role));
    },
  );

  app.delete(
    '/members/:id',
    {
      schema: {
        tags,
        operationId: 'removeMember',
        summary: 'Takes somebody out of the account: they are signed out at once; the last owner stays',
        params: MemberParams,
        querystring: exactly({}),
        response: { 204: Type.Null({ description: 'They are gone' }) },
      },
    },
    async (request, reply) => {
      const { accountId, actor } = personOf(request);
      await members.remove(accountId, actor, request.params.id);
      return reply.code(204).send(null);
    },
  );
}

export function toMember(member: DomainMember): Static<typeof Member> {
  return {
    id: member.id,
    email: member.email,
    name: member.name,
    role: member.role,
    is_administrator: member.isAdministrator,
    has_totp: member.hasTotp,
    created_at: toTime(member.createdAt),
    signed_in_at: toTimeOrNull(member.signedInAt),
  };
}
