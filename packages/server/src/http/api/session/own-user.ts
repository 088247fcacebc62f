import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { exactly } from '../fields.js';
import type { ApiScope } from '../scope.js';
import { readDeviceCookie, setDeviceCookie } from './cookie.js';
import { Code, Email, Password, PersonName } from './fields.js';
import { Session } from './session-answer.js';
import { letIn, type WayInDeps } from './sign-in.js';
import { authenticatedUserOf, signedInOf } from './signed-in.js';

export const TotpSecret = Type.Object(
  {
    secret: Type.String({ description: 'in base 32: shown here and never again' }),
    uri: Type.String({ description: 'the same for a square that authenticators read' }),
  },
  { title: 'TotpSecret', description: 'A second factor that is not in force yet' },
);
export const RecoveryCodes = Type.Object(
  {
    recovery_codes: Type.Array(Type.String(), {
      description: 'each good once in the place of the authenticator: shown here and never again',
    }),
  },
  { title: 'RecoveryCodes', description: 'The recovery codes in force' },
);
const tags = ['session'];

/** What users change of themselves. */
export function addOwnUserRoutes(app: ApiScope, deps: WayInDeps): void {
  const { ownUser, secondFactor, devices } = deps.users;
  /** A change that ends what is known of all browsers of this user: the one that makes it stays known, where it was. */
  const keepDevice = async <T>(request: FastifyRequest, reply: FastifyReply, change: () => Promise<T>) => {
    const { user } = authenticatedUserOf(request);
    const cookie = readDeviceCookie(request, deps);
    const before = await devices.readOwner(user.id);
    const changed = await change();
    const renewed = before && (await devices.renew(user.id, cookie, before));
    if (renewed) setDeviceCookie(request, reply, renewed, deps);
    return changed;
  };

  app.patch('/user', {
    config: { right: 'person', audit: 'itself' },
    schema: {
      tags,
      operationId: 'changeUser',
      summary: 'Changes the own name, or the own mail address; that wants the password',
      body: exactly({
        name: Type.Optional(PersonName),
        email: Type.Optional(Email),
        password: Type.Optional(Password),
      }),
      response: { 200: Session },
    },
    async handler(request, reply) {
      await ownUser.change(authenticatedUserOf(request), request.body);
      return letIn(request, reply, signedInOf(request).token, deps);
    },
  });

  app.put('/user/password', {
    config: { right: 'person', audit: 'itself' },
    schema: {
      tags,
      operationId: 'changePassword',
      summary: 'Sets another password and ends all other sessions',
      body: exactly({ current: Password, password: Password }),
      response: { 204: Type.Null({ description: 'It is in force' }) },
    },
    async handler(request, reply) {
      await keepDevice(request, reply, () =>
        ownUser.changePassword(authenticatedUserOf(request), request.body),
      );
    },
  });

  app.post('/user/totp', {
    config: { right: 'person', audit: null },
    schema: {
      tags,
      operationId: 'prepareTotp',
      summary: 'A secret for an authenticator, for the password; it is in force once a code of it was given',
      body: exactly({ password: Password }),
      response: { 200: TotpSecret },
    },
    async handler(request) {
      const authenticated = authenticatedUserOf(request);
      const checked = await ownUser.checkPassword(authenticated, request.body.password);
      return secondFactor.prepare(authenticated, checked);
    },
  });

  app.put('/user/totp', {
    config: { right: 'person', audit: 'itself' },
    schema: {
      tags,
      operationId: 'confirmTotp',
      summary: 'Puts the secret in force by a code of it, and shows the recovery codes',
      body: exactly({ code: Code }),
      response: { 200: RecoveryCodes },
    },
    async handler(request, reply) {
      const { recoveryCodes } = await keepDevice(request, reply, () =>
        secondFactor.confirm(authenticatedUserOf(request), request.body.code),
      );
      return { recovery_codes: [...recoveryCodes] };
    },
  });

  app.post('/user/totp/remove', {
    config: { right: 'person', audit: 'itself' },
    schema: {
      tags,
      operationId: 'removeTotp',
      summary:
        'Signs in without a second factor from now on; wants the password, and a code or recovery code',
      body: exactly({ password: Password, code: Code }),
      response: { 204: Type.Null({ description: 'There is none any more' }) },
    },
    async handler(request, reply) {
      const authenticated = authenticatedUserOf(request);
      const checked = await ownUser.checkPassword(authenticated, request.body.password);
      await keepDevice(request, reply, () => secondFactor.remove(authenticated, request.body.code, checked));
    },
  });

  app.post('/user/totp/recovery-codes', {
    config: { right: 'person', audit: 'itself' },
    schema: {
      tags,
      operationId: 'renewRecoveryCodes',
      summary: 'Other recovery codes in the place of those there are; wants a code, or one of them',
      body: exactly({ code: Code }),
      response: { 200: RecoveryCodes },
    },
    async handler(request) {
      const { recoveryCodes } = await secondFactor.renewRecoveryCodes(
        authenticatedUserOf(request),
        request.body.code,
      );
      return { recovery_codes: [...recoveryCodes] };
    },
  });

  app.delete('/user/wrong-codes', {
    config: { right: 'person', audit: null },
    schema: {
      tags,
      operationId: 'dismissWrongCodes',
      summary: 'The wrong codes of `wrong_codes` were seen',
      response: { 204: Type.Null({ description: 'They are shown no more' }) },
    },
    async handler(request) {
      await secondFactor.dismissWrongCodes(authenticatedUserOf(request).user.id);
    },
  });
}
