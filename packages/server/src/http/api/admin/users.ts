import { Type } from 'typebox';
import { linkTo } from '../../../accounts/users/link-address.js';
import { exactly, Id, TimeOrNull, toTimeOrNull } from '../fields.js';
import { Member, toMember } from '../members/members.js';
import { PageOf, pageRequest, paging, toPageAnswer } from '../paging.js';
import type { ApiDeps, ApiScope } from '../scope.js';
import { UserSearch } from '../session/fields.js';
import { authenticatedUserOf } from '../session/signed-in.js';

export const AdminUser = Type.Object(
  {
    ...Member.properties,
    account: Type.Object({ id: Id, name: Type.String() }),
  },
  { title: 'AdminUser' },
);
const AdminUserList = PageOf(AdminUser, 'A page of people');
export const ResetLink = Type.Object(
  {
    link: Type.String({ description: 'for whoever forgot their password: shown here and never again' }),
    expires_at: TimeOrNull,
  },
  { title: 'ResetLink', description: 'A link that sets another password, once' },
);
const tags = ['admin'];

/** Everybody who signs in, for administrators. */
export function addAdminUserRoutes(app: ApiScope, { users, publicAddress }: ApiDeps): void {
  app.get('/admin/users', {
    config: { right: 'administrator' },
    schema: {
      tags,
      operationId: 'listUsers',
      summary: 'Everybody who signs in, of all accounts, the newest first; for administrators',
      querystring: exactly({ ...paging, search: Type.Optional(UserSearch) }),
      response: { 200: AdminUserList },
    },
    async handler(request) {
      const { search } = request.query;
      const page = await users.administration.listUsers({ search }, pageRequest(Id, request.query));
      return toPageAnswer(page, (user) => ({ ...toMember(user), account: user.account }));
    },
  });

  app.post('/admin/users/:id/reset', {
    config: { right: 'administrator', audit: 'itself' },
    schema: {
      tags,
      operationId: 'resetUser',
      summary: 'A link to set another password, valid for a day; the service sends no mail',
      params: Type.Object({ id: Id }),
      response: { 201: ResetLink },
    },
    async handler(request) {
      const { actor } = authenticatedUserOf(request);
      const { token, expiresAt } = await users.makeLinks.reset(actor, { id: request.params.id });
      const link = linkTo(publicAddress(request), token);
      return { link, expires_at: toTimeOrNull(expiresAt) };
    },
  });
}
