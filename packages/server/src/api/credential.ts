import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Accounts } from '../accounts/accounts.js';
import { isCsrfToken } from '../accounts/sessions/token.js';
import { type Query, readApiKey } from '../compat/key.js';
import { ServiceError } from '../errors/service-error.js';
import { changes, rightFor } from './permit.js';
import type { ApiDeps } from './scope.js';
import { readSessionCookie } from './session/cookie.js';
import { findShownSession } from './session/find-session.js';
import { checkSameOrigin } from './session/same-origin.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether what let the request in is still good, for answers that take long. */
    isStillLetIn: () => Promise<boolean>;
  }
}

type CredentialDeps = Pick<ApiDeps, 'accounts' | 'people' | 'publicAddress' | 'settings'>;
type ApiRequest = FastifyRequest<{ Querystring: Query }>;

/**
 * A hook that lets good keys in, as `Authorization: Bearer`, as `X-API-Key` or in the query, and people who are signed in. A
 * key wins over the cookie, which browsers send without being asked.
 */
export function requireCredential(deps: CredentialDeps, routeOf: (request: ApiRequest) => string) {
  return async (request: ApiRequest, reply: FastifyReply): Promise<void> => {
    const { query, headers, method } = request;
    const key = readApiKey(query, headers, ['api_key', 'apikey']);
    // It is the credential of every operation and a parameter of none.
    for (const name of ['api_key', 'apikey']) Reflect.deleteProperty(query, name);
    if (key !== undefined) return requireKey(deps.accounts, key, request, reply);

    const shown = readSessionCookie(request, deps);
    const find = () => findShownSession(deps.people.sessions, shown, request);
    const session = await find();
    if (shown && session) {
      if (changes(method)) checkChange(request, shown.token, deps);
      request.signedIn = { session, ...shown };
      request.caller = session.caller;
      request.isStillLetIn = async () => (await find()) !== null;
      return;
    }
    const right = rightFor(method, routeOf(request));
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
    request.isStillLetIn = async () => (await accounts.authenticateAfresh(key)) !== null;
    return;
  }
  reply.header('www-authenticate', 'Bearer');
  throw new ServiceError(
    'invalid_api_key',
    (await accounts.authenticateDrop(key)) === null
      ? 'the API key is unknown, revoked or expired'
      : 'this is the key of a drop, which opens that drop by FTP and nothing else: use a key of the account',
  );
}

/** A page of another origin can make a browser send the cookie, but neither read the token nor pass for ours. */
function checkChange(request: ApiRequest, token: string, { publicAddress }: CredentialDeps): void {
  checkSameOrigin(request, publicAddress);
  const given = request.headers['x-csrf-token'];
  if (typeof given === 'string' && isCsrfToken(given, token)) return;
  throw new ServiceError('csrf', 'a change by a session wants its csrf_token in the header X-CSRF-Token');
}
