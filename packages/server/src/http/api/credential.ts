import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Accounts } from '../../accounts/accounts.js';
import { isCsrfToken } from '../../accounts/users/sessions/token.js';
import { ServiceError } from '../../core/service-error.js';
import { type Query, readApiKey } from '../common/key.js';
import { changes, permit, rightOf } from './permit.js';
import type { ApiDeps } from './scope.js';
import { readSessionCookie } from './session/cookie.js';
import { findShownSession } from './session/find-session.js';
import { checkSameOrigin } from './session/same-origin.js';
import { findViewer, requireView, takeViewToken } from './view-access.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether what let the request in is still good, for answers that take long. */
    isStillLetIn: () => Promise<boolean>;
    /**
     * Reads the session or key again, as it is now, and asks for the right of the route again: a body may come long after its head.
     * Before each change, and again before what a long body brought is kept. Throws as the first time.
     */
    requireAccess: () => Promise<void>;
  }
}

type ApiRequest = FastifyRequest<{ Querystring: Query }>;

/**
 * A hook that lets good keys in, as `Authorization: Bearer`, as `X-API-Key` or in the query, and people who are signed in. A
 * key wins over the cookie, which browsers send without being asked.
 */
export function requireCredential(deps: ApiDeps) {
  return async (request: ApiRequest, reply: FastifyReply): Promise<void> => {
    const { query, headers, method } = request;
    const key = readApiKey(query, headers, ['api_key', 'apikey']);
    // It is the credential of every operation and a parameter of none.
    for (const name of ['api_key', 'apikey']) Reflect.deleteProperty(query, name);
    const viewToken = takeViewToken(request);
    const isByToken = key === undefined && viewToken !== undefined;
    const shown = key === undefined && !isByToken ? readSessionCookie(request, deps) : undefined;
    const find = () => findShownSession(deps.users.sessions, shown, request);

    const identify = async (): Promise<void> => {
      if (key !== undefined) return requireKey(deps.accounts, key, request, reply);
      if (isByToken) return requireView(deps, viewToken, request);
      const session = await find();
      if (shown && session) {
        request.signedIn = { session, ...shown };
        request.caller = session.caller;
        return;
      }
      const right = rightOf(request);
      if (shown || (right !== 'read' && right !== 'change')) {
        throw new ServiceError(
          'not_signed_in',
          'nobody is signed in: the session has ended, or there was none',
        );
      }
      reply.header('www-authenticate', 'Bearer');
      throw new ServiceError(
        'invalid_api_key',
        'no API key: give it in the header X-API-Key, or in Authorization after the word Bearer',
      );
    };

    await identify();
    if (shown && changes(method)) checkChange(request, shown.token, deps);
    request.isStillLetIn = async () => {
      if (isByToken) return (await findViewer(deps, viewToken, request)) !== null;
      return (key === undefined ? await find() : await deps.accounts.authenticateAfresh(key)) !== null;
    };
    request.requireAccess = async () => {
      await identify();
      permit(request);
    };
  };
}

async function requireKey(
  accounts: Pick<Accounts, 'authenticateAfresh' | 'authenticateDrop'>,
  key: string,
  request: ApiRequest,
  reply: FastifyReply,
): Promise<void> {
  const caller = await accounts.authenticateAfresh(key);
  if (caller) {
    request.caller = caller;
    return;
  }
  reply.header('www-authenticate', 'Bearer');
  throw new ServiceError(
    'invalid_api_key',
    (await accounts.authenticateDrop(key)) === null
      ? 'the API key is unknown, revoked or expired, or one of a drop or of a compat client, which opens nothing here'
      : 'this is the key of a drop, which opens that drop by FTP and nothing else: use a key of the account',
  );
}

/** A page of another origin can make a browser send the cookie, but neither read the token nor pass for ours. */
function checkChange(request: ApiRequest, token: string, { publicAddress }: ApiDeps): void {
  checkSameOrigin(request, publicAddress);
  const given = request.headers['x-csrf-token'];
  if (typeof given === 'string' && isCsrfToken(given, token)) return;
  throw new ServiceError('csrf', 'a change by a session wants its csrf_token in the header X-CSRF-Token');
}
