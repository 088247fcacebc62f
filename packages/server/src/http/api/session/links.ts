import { Type } from 'typebox';
import { exactly, TimeOrNull, toTimeOrNull } from '../fields.js';
import type { ApiScope } from '../scope.js';
import { readSessionCookie } from './cookie.js';
import { Code, Email, LinkToken, Password, PersonName, Role } from './fields.js';
import { Session } from './session-answer.js';
import { type WayInDeps, welcome } from './sign-in.js';
import { visitorOf } from './visitor.js';

export const Link = Type.Object(
  {
    kind: Type.Enum(['first', 'invitation', 'reset'], {
      description: 'for the first administrator, for a new user of an account, for another password',
    }),
    account: Type.Union([Type.String(), Type.Null()]),
    email: Type.Union([Type.String(), Type.Null()], { description: 'null: whoever uses it says which' }),
    role: Type.Union([Role, Type.Null()]),
    expires_at: TimeOrNull,
    needs_code: Type.Boolean({
      description: 'whether using it asks for a code of the second factor too',
    }),
  },
  { title: 'Link', description: 'What a link is for' },
);
export const PasswordRating = Type.Object(
  {
    score: Type.Integer({ minimum: 0, maximum: 4, description: 'from 3 on it is taken' }),
    warning: Type.Union([Type.String(), Type.Null()]),
    suggestions: Type.Array(Type.String()),
  },
  { title: 'PasswordRating', description: 'How hard a password is to guess' },
);
const tags = ['session'];
const security: never[] = [];

/** Links that let a user in once, and how strong a new password is. */
export function addLinkRoutes(app: ApiScope, deps: WayInDeps): void {
  const { users } = deps;

  app.post('/links/look', {
    config: { right: 'open', audit: null },
    schema: {
      tags,
      security,
      operationId: 'lookAtLink',
      summary: 'What a link is for; it stays unused',
      body: exactly({ token: LinkToken }),
      response: { 200: Link },
    },
    async handler(request) {
      const link = await users.findLink(request.body.token);
      const { kind, account, email, role, expiresAt, sealedTotp } = link;
      return {
        kind,
        account,
        email,
        role,
        expires_at: toTimeOrNull(expiresAt),
        needs_code: sealedTotp !== null,
      };
    },
  });

  app.post('/links/use', {
    config: { right: 'open', audit: 'itself' },
    schema: {
      tags,
      security,
      operationId: 'useLink',
      summary: 'Uses a link, once: makes its person or sets their password, and signs in',
      description:
        '`email` is wanted by the first link alone, `name` from who is new. Another password ends all sessions of the person; a second ' +
        'factor stays, and `code` is one of it, or a recovery code: without one the answer is `code_needed`. A link stays unused until ' +
        'all is right.',
      body: exactly({
        token: LinkToken,
        email: Type.Optional(Email),
        name: Type.Optional(PersonName),
        password: Password,
        code: Type.Optional(Code),
      }),
      response: { 201: Session },
    },
    async handler(request, reply) {
      const oldToken = readSessionCookie(request, deps)?.token;
      const { token } = await users.useLink(request.body, visitorOf(request, deps), oldToken);
      return welcome(request, reply, token, deps);
    },
  });

  app.post('/passwords/check', {
    config: { right: 'open', audit: null },
    schema: {
      tags,
      security,
      operationId: 'checkPassword',
      summary: 'How hard a password is to guess; it is kept nowhere',
      body: exactly({ password: Password, email: Type.Optional(Email) }),
      response: { 200: PasswordRating },
    },
    async handler(request) {
      const { password, email } = request.body;
      const { score, warning, suggestions } = await users.ratePassword(password, { email });
      return { score, warning, suggestions: [...suggestions] };
    },
  });
}
