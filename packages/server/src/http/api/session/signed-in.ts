import type { FastifyRequest } from 'fastify';
import type { AuthenticatedUser } from '../../../accounts/users/authenticated-user.js';
import type { Session } from '../../../accounts/users/sessions/session.js';
import { ServiceError } from '../../../core/service-error.js';

import type { ShownSession } from './cookie.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in, where the request came with a session and no key. */
    signedIn: ({ readonly session: Session } & ShownSession) | undefined;
  }
}

/** The session of the request and its token; the scope has checked it. Throws `not_signed_in`. */
export function signedInOf(request: Pick<FastifyRequest, 'signedIn'>) {
  if (!request.signedIn) throw new ServiceError('not_signed_in', 'sign in first');
  return request.signedIn;
}

/** Who is signed in and asks. Throws `not_signed_in`. */
export function authenticatedUserOf(request: Pick<FastifyRequest, 'signedIn' | 'ip'>): AuthenticatedUser {
  const { session } = signedInOf(request);
  const { user, account, id } = session;
  return {
    user,
    accountId: account.id,
    sessionId: id,
    actor: { kind: 'user', id: user.id, name: user.email, address: request.ip },
  };
}
