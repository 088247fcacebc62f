import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Accounts } from '../accounts/accounts.js';
import { type Query, readApiKey } from '../compat/key.js';
import { ServiceError } from '../errors/service-error.js';
import type { ApiDeps } from './scope.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether what let the request in is still good, for answers that take long. */
    isStillLetIn: () => Promise<boolean>;
  }
}

/** A hook that lets good keys in: as `Authorization: Bearer`, as `X-API-Key`, or in the query. */
export function requireKey({ accounts }: Pick<ApiDeps, 'accounts'>) {
  return async (request: FastifyRequest<{ Querystring: Query }>, reply: FastifyReply): Promise<void> => {
    const { query, headers } = request;
    const key = readApiKey(query, headers, ['api_key', 'apikey']);
    // It is the credential of every operation and a parameter of none.
    for (const name of ['api_key', 'apikey']) Reflect.deleteProperty(query, name);
    const letIn = async () => (key === undefined ? null : accounts.authenticateAfresh(key));
    const caller = await letIn();
    if (caller) {
      request.caller = caller;
      request.isStillLetIn = async () => (await letIn()) !== null;
      return;
    }
    reply.header('www-authenticate', 'Bearer');
    throw new ServiceError('invalid_api_key', await explain(accounts, key));
  };
}

async function explain(accounts: Pick<Accounts, 'authenticateDrop'>, key: string | undefined) {
  if (key === undefined) {
    return 'no API key: give it in the header X-API-Key, or in Authorization after the word Bearer';
  }
  return (await accounts.authenticateDrop(key)) === null
    ? 'the API key is unknown, revoked or expired'
    : 'this is the key of a drop, which opens that drop by FTP and nothing else: use a key of the account';
}
