import type { FastifyRequest } from 'fastify';
import type { SessionUser } from '../../accounts/users/sessions/session.js';
import { ServiceError } from '../../core/service-error.js';
import type { ApiScope } from './scope.js';

/** Who may use a route of /api. A key of the account may do what a member may, except for what belongs to a person. */
export type Right =
  /** Any caller, without a credential. */
  | 'open'
  /** Any caller with a key or a session. */
  | 'read'
  /** A key, a member, an owner. */
  | 'change'
  /** Any user who is signed in: it is their own. */
  | 'person'
  /** A user who is signed in and may do more than read. */
  | 'member'
  | 'owner'
  | 'administrator';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Stands beside the handler of every route below /api; no route is added without it. */
    right?: Right;
  }
}

/** Refuses to start with a route that does not say who may use it. */
export function requireRights(scope: ApiScope): void {
  scope.addHook('onRoute', ({ method, url, config }) => {
    if (config?.right === undefined) throw new Error(`${method} ${url} has no right in its config`);
  });
}

export function rightOf({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): Right {
  return routeOptions.config.right ?? 'administrator';
}

export function changes(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/** Throws `not_allowed`, or `not_signed_in` where a user is needed and none is signed in. */
export function permit(request: Pick<FastifyRequest, 'routeOptions' | 'signedIn'>): void {
  const right = rightOf(request);
  const user = request.signedIn?.session.user;
  if (!user) {
    if (right === 'open' || right === 'read' || right === 'change') return;
    throw new ServiceError('not_allowed', 'this is for people who are signed in; a key does not open it');
  }
  if (rightsOf(user)[right]) return;
  throw new ServiceError('not_allowed', refusals[right]);
}

/** Whether names of the users of the account are shown to the caller. */
export function maySeeUsers({ signedIn }: Pick<FastifyRequest, 'signedIn'>): boolean {
  return signedIn !== undefined && rightsOf(signedIn.session.user).owner;
}

function rightsOf({
  role,
  isAdministrator,
}: Pick<SessionUser, 'role' | 'isAdministrator'>): Readonly<Record<Right, boolean>> {
  return {
    open: true,
    read: true,
    person: true,
    change: role !== 'reader',
    member: role !== 'reader',
    owner: role === 'owner',
    administrator: isAdministrator,
  };
}

const refusals: Readonly<Record<Right, string>> = {
  open: '',
  read: '',
  person: '',
  change: 'a reader changes nothing: ask an owner of the account for another role',
  member: 'a reader makes no calls: ask an owner of the account for another role',
  owner: 'this is for the owners of the account',
  administrator: 'this is for the administrators of the service',
};
