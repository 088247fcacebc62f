import type { FastifyRequest } from 'fastify';
import type { Sessions } from '../../../accounts/users/sessions/sessions.js';
import type { ShownSession } from './cookie.js';

/**
 * The session that a browser shows, while it lasts. A host beside this one can plant a cookie of the old name, but none of a
 * session that began before the new one.
 */
export async function findShownSession(
  sessions: Pick<Sessions, 'find'>,
  shown: ShownSession | undefined,
  { ip }: Pick<FastifyRequest, 'ip'>,
) {
  const found = shown ? await sessions.find(shown.token, { address: ip }) : null;
  return found && shown?.isUnderOldName && !found.allowsPlainCookie ? null : found;
}
