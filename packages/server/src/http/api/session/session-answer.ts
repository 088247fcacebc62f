import { type Static, Type } from 'typebox';
import type { Session as DomainSession } from '../../../accounts/users/sessions/session.js';
import { csrfTokenOf } from '../../../accounts/users/sessions/token.js';
import type { Users } from '../../../accounts/users/users.js';
import { Id, Time, toTime } from '../fields.js';
import { Role } from './fields.js';

export const Session = Type.Object(
  {
    user: Type.Object({
      id: Id,
      email: Type.String(),
      name: Type.String(),
      role: Role,
      is_administrator: Type.Boolean(),
      has_totp: Type.Boolean({ description: 'whether signing in wants a code of an authenticator too' }),
    }),
    account: Type.Object({ id: Id, name: Type.String(), plan: Type.Enum(['paid', 'trial']) }),
    csrf_token: Type.String({
      description: 'for the header X-CSRF-Token of every request that changes something',
    }),
    created_at: Time,
    expires_at: Type.String({ format: 'date-time', description: 'unless it is used before' }),
    wrong_codes: Type.Union(
      [
        Type.Object(
          { count: Type.Integer({ minimum: 1 }), last_at: Time },
          { description: 'wrong codes entered after the right password, until they are dismissed' },
        ),
        Type.Null(),
      ],
      { description: 'null: none' },
    ),
  },
  { title: 'Session', description: 'Who is signed in' },
);

export async function toSession(
  session: DomainSession,
  token: string,
  { secondFactor }: Pick<Users, 'secondFactor'>,
): Promise<Static<typeof Session>> {
  const { user, account } = session;
  const wrong = user.hasTotp ? await secondFactor.wrongCodes(user.id) : null;
  return {
    user: {
      id: user.id,
      email: user.email,
      name: user.name,
      role: user.role,
      is_administrator: user.isAdministrator,
      has_totp: user.hasTotp,
    },
    account: { id: account.id, name: account.name, plan: account.plan },
    csrf_token: csrfTokenOf(token),
    created_at: toTime(session.createdAt),
    expires_at: toTime(session.expiresAt),
    wrong_codes: wrong && { count: wrong.count, last_at: toTime(wrong.lastAt) },
  };
}
