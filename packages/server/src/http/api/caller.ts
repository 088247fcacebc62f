import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../accounts/accounts.js';
import type { Creator } from '../../accounts/creator.js';
import { ServiceError } from '../../core/service-error.js';

/** Who is calling, by a key that manages keys. Throws `not_allowed`. */
export function managerOf(request: Pick<FastifyRequest, 'caller'>): Caller {
  const caller = callerOf(request);
  if (caller.managesKeys) return caller;
  throw new ServiceError(
    'not_allowed',
    'a key with a limit of calls manages no keys: use one without, or ask the operator for it',
  );
}

/** As whom the caller creates keys: who is signed in, or the key. */
export function creatorOf(request: Pick<FastifyRequest, 'caller' | 'signedIn'>): Creator {
  const user = request.signedIn?.session.user;
  return user ? { kind: 'user', id: user.id } : { kind: 'key', id: callerOf(request).keyId };
}

/** Who is calling; the scope has checked the key. */
export function callerOf(request: Pick<FastifyRequest, 'caller'>): Caller {
  if (!request.caller) throw new ServiceError('invalid_api_key', 'no API key');
  return request.caller;
}
