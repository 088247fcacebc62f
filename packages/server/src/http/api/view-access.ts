import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../accounts/accounts.js';
import { ServiceError } from '../../core/service-error.js';
import { firstOf, type Query } from '../common/key.js';
import type { ApiDeps } from './scope.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a view token of its stream opens it: what pages and dashboards show by its address alone. */
    takesViewToken?: boolean;
  }
  interface FastifyRequest {
    /** By which the request was let in, where no key or session did. */
    viewToken: string | undefined;
  }
}

type ViewRequest = FastifyRequest<{ Querystring: Query }>;

/** The token of a request for a live view; it is a parameter of none. */
export function takeViewToken({ query, routeOptions }: ViewRequest): string | undefined {
  if (!routeOptions.config.takesViewToken) return undefined;
  const token = firstOf(query, 'view_token');
  Reflect.deleteProperty(query, 'view_token');
  return token;
}

/** Whose key asked for the token; null where that is not good any more, nor the token for what is requested. */
export async function findViewer(
  { accounts, viewTokens }: ApiDeps,
  token: string,
  { params }: Pick<FastifyRequest, 'params'>,
): Promise<Caller | null> {
  const access = viewTokens.verify(token);
  if (access === null || String(access.streamId) !== Reflect.get(Object(params), 'id')) return null;
  const caller = await accounts.ownerOfKey(access.keyId);
  return caller?.accountId === access.accountId ? caller : null;
}

/** Lets in as that key. Throws `invalid_api_key`. */
export async function requireView(deps: ApiDeps, token: string, request: ViewRequest): Promise<void> {
  const caller = await findViewer(deps, token, request);
  if (caller === null)
    throw new ServiceError('invalid_api_key', 'the view token is not for this stream, or its time is over');
  request.viewToken = token;
  request.caller = caller;
}
