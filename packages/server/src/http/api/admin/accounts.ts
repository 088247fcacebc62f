import { type Static, Type } from 'typebox';
import type { AdministeredAccount } from '../../../accounts/users/administration.js';
import { linkTo } from '../../../accounts/users/link-address.js';
import { toAnswer } from '../answer.js';
import { exactly, Id, Time, toTime } from '../fields.js';
import { NewInvitation, toInvitation } from '../members/invitations.js';
import { PageOf, pageRequest, paging, toPageAnswer } from '../paging.js';
import type { ApiDeps, ApiScope } from '../scope.js';
import { Email, Role } from '../session/fields.js';
import { authenticatedUserOf } from '../session/signed-in.js';

const LimitOrNull = Type.Union([Type.Integer(), Type.Null()], { description: 'null: no limit' });
export const AdminAccount = Type.Object(
  {
    id: Id,
    name: Type.String(),
    plan: Type.Enum(['paid', 'trial']),
    calls: Type.Object({ limit: LimitOrNull, used: Type.Integer(), left: LimitOrNull }),
    result_days: Type.Integer(),
    keys: Type.Integer({ description: 'that are not revoked' }),
    users: Type.Integer(),
    created_at: Time,
    deletion: Type.Union(
      [
        Type.Object({
          due_at: Time,
          has_begun: Type.Boolean({ description: 'it cannot be cancelled any more' }),
        }),
        Type.Null(),
      ],
      { description: 'null unless the account is closed and about to be deleted' },
    ),
  },
  { title: 'AdminAccount', description: 'An account of the service' },
);
const AdminAccountList = PageOf(AdminAccount, 'A page of accounts');
const Plan = Type.Enum(['paid', 'trial'], { description: 'paid or trial' });
const CallLimit = Type.Union([Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()], {
  description: 'a whole number of calls, those used already among them, or null for no limit',
});
const ResultDays = Type.Integer({ minimum: 0, maximum: 36_500, description: 'a whole number of days' });
const changes = {
  plan: Type.Optional(Plan),
  call_limit: Type.Optional(CallLimit),
  result_days: Type.Optional(ResultDays),
};
const AccountParams = Type.Object({ id: Id });
const tags = ['admin'];

/** All accounts, for administrators. */
export function addAdminAccountRoutes(app: ApiScope, { users, publicAddress }: ApiDeps): void {
  const { administration, invitations } = users;

  app.get('/admin/accounts', {
    config: { right: 'administrator' },
    schema: {
      tags,
      operationId: 'listAccounts',
      summary: 'All accounts with their calls, keys and people, the newest first; for administrators',
      querystring: exactly(paging),
      response: { 200: AdminAccountList },
    },
    async handler(request) {
      const page = await administration.listAccounts(pageRequest(Id, request.query));
      return toPageAnswer(page, toAccount);
    },
  });

  app.post('/admin/accounts', {
    config: { right: 'administrator', audit: 'itself' },
    schema: {
      tags,
      operationId: 'createAccount',
      summary: 'Makes an account; a plan brings its own number of calls unless one is given',
      body: exactly({
        name: Type.String({ minLength: 1, maxLength: 100, description: 'a text of 1 to 100 characters' }),
        ...changes,
      }),
      response: { 201: AdminAccount },
    },
    async handler(request) {
      const { name, ...wanted } = request.body;
      const made = await administration.createAccount(authenticatedUserOf(request).actor, {
        name,
        ...toChange(wanted),
      });
      return toAccount(made);
    },
  });

  app.patch('/admin/accounts/:id', {
    config: { right: 'administrator', audit: 'itself' },
    schema: {
      tags,
      operationId: 'changeAccount',
      summary: 'Changes plan, calls or how long results are kept, from the next call on',
      params: AccountParams,
      body: exactly(changes),
      response: { 200: AdminAccount },
    },
    async handler(request) {
      const { actor } = authenticatedUserOf(request);
      return toAccount(await administration.changeAccount(actor, request.params.id, toChange(request.body)));
    },
  });

  app.post('/admin/accounts/:id/invitations', {
    config: { right: 'administrator', audit: 'itself' },
    schema: {
      tags,
      operationId: 'inviteToAccount',
      summary: 'Creates an invitation into an account, valid for a week; only this answer has the link',
      params: AccountParams,
      body: exactly({ email: Email, role: Role }),
      response: { 201: NewInvitation },
    },
    async handler(request) {
      const made = await invitations.make(
        request.params.id,
        authenticatedUserOf(request).actor,
        request.body,
      );
      const link = linkTo(publicAddress(request), made.token);
      return { ...toInvitation(made), link };
    },
  });
}

function toChange(given: {
  readonly plan?: 'paid' | 'trial';
  readonly call_limit?: number | null;
  readonly result_days?: number;
}) {
  return { plan: given.plan, callLimit: given.call_limit, resultDays: given.result_days };
}

function toAccount(account: AdministeredAccount): Static<typeof AdminAccount> {
  const { callLimit: limit, callsUsed: used, deletionDueAt: dueAt, deletionBegunAt } = account;
  return toAnswer(AdminAccount, account, {
    calls: { limit, used, left: limit === null ? null : Math.max(0, limit - used) },
    deletion: dueAt === null ? null : { due_at: toTime(dueAt), has_begun: deletionBegunAt !== null },
  });
}
