import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../core/service-error.js';
import type { SessionUser } from '../../users/sessions/session.js';

/**
 * Who may do what under /api, by method and route and nowhere else. A key of the account may do what a member may, but for what
 * is a person's own.
 */
export type Right =
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

/** These carry an image, and so are no GET, but change nothing and cost no call. */
const readingPosts: ReadonlySet<string> = new Set([
  '/perceptions/:id/search',
  '/datasets/:id/images/:image_id/suggestions',
  '/preview',
  // As who may look at the stream anyway.
  '/streams/:id/view-tokens',
]);

const rightsByRoute: readonly (readonly [pattern: RegExp, right: Right])[] = [
  [/^\/(admin|compat-listeners)(\/|$)/, 'administrator'],
  [/^\/(members|invitations|audit)(\/|$)/, 'owner'],
  [/^\/session\/key$/, 'member'],
  [/^\/(session|sessions|user)(\/|$)/, 'person'],
];

/** @param route the pattern of a path below /api, such as `/keys/:id` */
export function rightFor(method: string, route: string): Right {
  const found = rightsByRoute.find(([pattern]) => pattern.test(route));
  if (found) return found[1];
  if (method === 'POST' && readingPosts.has(route)) return 'read';
  return changes(method) ? 'change' : 'read';
}

export function changes(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/** Throws `not_allowed`, or `not_signed_in` where a user is needed and none is signed in. */
export function permit(request: Pick<FastifyRequest, 'method' | 'signedIn'>, route: string): void {
  const right = rightFor(request.method, route);
  const user = request.signedIn?.session.user;
  if (!user) {
    if (right === 'read' || right === 'change') return;
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
    read: true,
    person: true,
    change: role !== 'reader',
    member: role !== 'reader',
    owner: role === 'owner',
    administrator: isAdministrator,
  };
}

const refusals: Readonly<Record<Right, string>> = {
  read: '',
  person: '',
  change: 'a reader changes nothing: ask an owner of the account for another role',
  member: 'a reader makes no calls: ask an owner of the account for another role',
  owner: 'this is for the owners of the account',
  administrator: 'this is for the administrators of the service',
};
