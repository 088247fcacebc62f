import { Type } from 'typebox';
import { exactly } from '../fields.js';
import type { ApiScope } from '../scope.js';
import { Code, Email, Password, PersonName } from './fields.js';
import { Session } from './session-answer.js';
import { letIn, type WayInDeps } from './sign-in.js';
import { personOf, signedInOf } from './signed-in.js';

export const TotpSecret = Type.Object(
  {
    secret: Type.String({ description: 'in base 32: shown here and never again' }),
    uri: Type.String({ description: 'the same for a square that authenticators read' }),
  },
  { description: 'A second factor that is not in force yet' },
);
export const RecoveryCodes = Type.Object(
  {
    recovery_codes: Type.Array(Type.String(), {
      description: 'each good once in the place of the authenticator: shown here and never again',
    }),
  },
  { description: 'The second factor is in force' },
);
const tags = ['session'];

/** What somebody changes of themselves. */
export function addOwnUserRoutes(app: ApiScope, deps: WayInDeps): void {
  const { ownUser, secondFactor } = deps.people;

  app.patch(
    '/user',
    {
      schema: {
        tags,
        operationId: 'changeUser',
        summary: 'Changes the own name, or the own mail address; that wants the password',
        querystring: exactly({}),
        body: exactly({
          name: Type.Optional(PersonName),
          email: Type.Optional(Email),
          password: Type.Optional(Password),
        }),
        response: { 200: Session },
      },
    },
    async (request, reply) => {
      await ownUser.change(personOf(request), request.body);
      return letIn(request, reply, signedInOf(request).token, deps);
    },
  );

  app.put(
    '/user/password',
    {
      schema: {
        tags,
        operationId: 'changePassword',
        summary: 'Sets another password and ends all other sessions',
        querystring: exactly({}),
        body: exactly({ current: Password, password: Password }),
        response: { 204: Type.Null({ description: 'It is in force' }) },
      },
    },
    async (request, reply) => {
      await ownUser.changePassword(personOf(request), request.body);
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/user/totp',
    {
      schema: {
        tags,
        operationId: 'prepareTotp',
        summary: 'A secret for an authenticator; it is in force once a code of it was given',
        querystring: exactly({}),
        response: { 200: TotpSecret },
      },
    },
    async (request) => secondFactor.prepare(personOf(request)),
  );

  app.put(
    '/user/totp',
    {
      schema: {
        tags,
        operationId: 'confirmTotp',
        summary: 'Puts the secret in force by a code of it, and shows the recovery codes',
        querystring: exactly({}),
        body: exactly({ code: Code }),
        response: { 200: RecoveryCodes },
      },
    },
    async (request) => {
      const { recoveryCodes } = await secondFactor.confirm(personOf(request), request.body.code);
      return { recovery_codes: [...recoveryCodes] };
    },
  );

  app.post(
    '/user/totp/remove',
    {
      schema: {
        tags,
        operationId: 'removeTotp',
        summary: 'Signs in without a second factor from now on; wants the password',
        querystring: exactly({}),
        body: exactly({ password: Password }),
        response: { 204: Type.Null({ description: 'There is none any more' }) },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      await ownUser.checkPassword(person, request.body.password);
      await secondFactor.remove(person);
      return reply.code(204).send(null);
    },
  );
}
