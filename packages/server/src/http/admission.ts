import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Sessions } from '../accounts/users/sessions/sessions.js';
import { ServiceError } from '../core/service-error.js';
import type { Settings } from '../core/settings.js';
import { hasBody } from '../intake/read-body.js';
import { type CookieDeps, readSessionCookie } from './api/session/cookie.js';
import { findShownSession } from './api/session/find-session.js';
import { type RateLimits, siteOf } from './common/rate-limits.js';
import type { RequestTurns } from './common/request-turns.js';
import type { Connections, Reserved } from './connections.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered at once and without a credential, so also when every slot is taken. */
    isHealthCheck?: boolean;
    /** Lasts for as long as a client listens, so never on a reserved connection. */
    isStream?: boolean;
  }
}

interface AdmissionDeps extends Pick<CookieDeps, 'publicAddress'> {
  readonly connections: Pick<Connections, 'reservedFor' | 'claim'>;
  readonly sessions: Pick<Sessions, 'find'>;
  /** Whether what is at the other end of a connection stands for many clients. */
  readonly isProxy: (address: string) => boolean;
  readonly settings: Pick<
    Settings,
    'connectionsPerAddress' | 'connectionsPerAccount' | 'connectionsReserved'
  > &
    CookieDeps['settings'];
}

/**
 * Decides by connection which requests are answered: on reserved ones health checks and signed-in administrators alone; and
 * of those that a trusted proxy passes on, as many at once of one client as a client may have connections.
 */
export function admitRequests(app: FastifyInstance, deps: AdmissionDeps): void {
  const { connections, isProxy, settings } = deps;
  const maxPerClient = settings.connectionsPerAddress || Number.POSITIVE_INFINITY;

  const isAdministrator = createIsAdministrator(deps);

  app.addHook('onRequest', async (request, reply) => {
    const { socket } = request.raw;
    const reserved = connections.reservedFor(socket);
    if (reserved !== null) return admitToReserved(request, reply, reserved, isAdministrator);
    if (!isProxy(socket.remoteAddress ?? '')) return;
    if (!connections.claim(socket, 'client', siteOf(request), maxPerClient)) throw explain('address');
  });
}

/** The same limits, and of one account so many connections with a request under way; administrators are not held to that. */
export function limitConnectionsOfAccounts(
  rateLimits: RateLimits,
  {
    connections,
    settings,
    requestTurns,
  }: Pick<AdmissionDeps, 'connections' | 'settings'> & {
    readonly requestTurns: Pick<RequestTurns, 'remember'>;
  },
): RateLimits {
  const max = settings.connectionsPerAccount || Number.POSITIVE_INFINITY;
  return {
    ...rateLimits,
    async checkKey(request) {
      requestTurns.remember(request);
      await rateLimits.checkKey(request);
      const { caller, signedIn, raw } = request;
      if (!caller || signedIn?.session.user.isAdministrator) return;
      if (connections.claim(raw.socket, 'account', String(caller.accountId), max)) return;
      throw new ServiceError(
        'too_many_requests',
        `${max} connections of this account have a request under way: wait for one to end`,
      );
    },
  };
}

async function admitToReserved(
  request: FastifyRequest,
  reply: FastifyReply,
  reserved: Reserved,
  isAdministrator: (request: FastifyRequest) => Promise<boolean>,
): Promise<void> {
  // A body that comes is read away first, or the client would not read the answer.
  if (!hasBody(request.raw)) reply.header('connection', 'close');
  const { isHealthCheck = false, isStream = false } = request.routeOptions.config ?? {};
  if (isHealthCheck || (!isStream && (await isAdministrator(request)))) return;
  throw explain(reserved);
}

/**
 * By the session of a request. A database that is slow must not hold every reserved connection: when half of them wait for
 * it, the next is no administrator.
 */
function createIsAdministrator(deps: Pick<AdmissionDeps, 'sessions' | 'settings' | 'publicAddress'>) {
  const { sessions, settings } = deps;
  const maxAsking = Math.ceil(settings.connectionsReserved / 2);
  let asking = 0;
  return async (request: FastifyRequest): Promise<boolean> => {
    const shown = readSessionCookie(request, deps);
    if (shown === undefined || asking >= maxAsking) return false;
    asking += 1;
    try {
      const session = await findShownSession(sessions, shown, request);
      return session?.user.isAdministrator ?? false;
    } finally {
      asking -= 1;
    }
  };
}

function explain(reserved: Reserved): ServiceError {
  return reserved === 'full'
    ? new ServiceError('service_busy', 'too many connections are open; try again shortly')
    : new ServiceError(
        'too_many_requests',
        'too many connections of this address have a request under way; try again when one has ended',
      );
}
