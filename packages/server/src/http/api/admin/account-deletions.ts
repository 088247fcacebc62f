import { Type } from 'typebox';
import type { AccountDeletion as Deletion } from '../../../accounts/deletion/deletion.js';
import { toAnswer } from '../answer.js';
import { exactly, Id, Time, TimeOrNull } from '../fields.js';
import { PageOf, pageRequest, paging, toPageAnswer } from '../paging.js';
import type { ApiDeps, ApiScope } from '../scope.js';
import { authenticatedUserOf } from '../session/signed-in.js';

const Count = {
  kind: Type.String({ description: 'a table of the database, or a store of files' }),
  items: Type.Integer(),
  bytes: Type.Integer({ description: 'of files; of rows, those that they named' }),
};
export const AccountDeletion = Type.Object(
  {
    account_id: Id,
    state: Type.Enum(['scheduled', 'running', 'done']),
    asked_by: Type.Object({
      kind: Type.Enum(['user', 'operator']),
      id: Type.Union([Id, Type.Null()], { description: 'of the user' }),
    }),
    asked_at: Time,
    due_at: Type.String({ format: 'date-time', description: 'before which the deletion does not begin' }),
    begun_at: TimeOrNull,
    ended_at: TimeOrNull,
    waits_for: Type.Union([Type.String(), Type.Null()], { description: 'why it does not get on' }),
    rows: Type.Array(Type.Object(Count), { description: 'deleted from the database' }),
    files: Type.Array(
      Type.Object({ folder: Type.String({ description: 'the id of the data folder' }), ...Count }),
    ),
    folders_left: Type.Array(Type.String(), {
      description: 'data folders whose services have not reported yet',
    }),
  },
  { title: 'AccountDeletion', description: 'The deletion of an account; once it is done, its receipt' },
);
const AccountDeletionList = PageOf(AccountDeletion, 'A page of deletions');
const AccountParams = Type.Object({ id: Id });
const tags = ['admin'];

/** Deletions of accounts, for administrators. */
export function addAccountDeletionRoutes(app: ApiScope, { users }: ApiDeps): void {
  const { accountDeletions } = users;

  app.get('/admin/account-deletions', {
    config: { right: 'administrator' },
    schema: {
      tags,
      operationId: 'listAccountDeletions',
      summary: 'Deletions of accounts, asked for, under way and done, the newest first; for administrators',
      querystring: exactly(paging),
      response: { 200: AccountDeletionList },
    },
    async handler(request) {
      const page = await accountDeletions.list(pageRequest(Id, request.query));
      return toPageAnswer(page, toDeletion);
    },
  });

  app.put('/admin/accounts/:id/deletion', {
    config: { right: 'administrator', audit: 'itself' },
    schema: {
      tags,
      operationId: 'deleteAccount',
      summary:
        'Closes an account at once, and deletes it and all that it has after the hours of accountDeletionDelayHours',
      params: AccountParams,
      body: exactly({
        name: Type.String({
          minLength: 1,
          maxLength: 100,
          description: "the account's name, to confirm which one is meant",
        }),
        immediately: Type.Optional(
          Type.Boolean({ description: 'true or false: whether to begin now, which nothing brings back' }),
        ),
      }),
      response: { 202: AccountDeletion },
    },
    async handler(request) {
      const { name, immediately } = request.body;
      const wanted = { accountId: request.params.id, name, delayMs: immediately ? 0 : undefined };
      const deletion = await accountDeletions.request(authenticatedUserOf(request).actor, wanted);
      return toDeletion(deletion);
    },
  });

  app.delete('/admin/accounts/:id/deletion', {
    config: { right: 'administrator', audit: 'itself' },
    schema: {
      tags,
      operationId: 'undeleteAccount',
      summary: 'Opens a closed account again, until its deletion begins; its users have to sign in again',
      params: AccountParams,
      response: { 204: Type.Null({ description: 'It is open' }) },
    },
    async handler(request) {
      await accountDeletions.cancel(authenticatedUserOf(request).actor, request.params.id);
    },
  });
}

const toDeletion = (deletion: Deletion) => toAnswer(AccountDeletion, deletion);
