import type { FastifyRequest } from 'fastify';

/** What a Host header may hold: a name or an address, and a port. */
const hostPattern = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:[0-9]{1,5})?$/i;

/**
 * Where clients reach this service, for the addresses of ours in answers: the setting, or else where the request came
 * to. Ends without a slash.
 */
export function createPublicAddress(settings: {
  readonly publicAddress: string;
  readonly pathPrefix: string;
}): (request: Pick<FastifyRequest, 'protocol' | 'host' | 'socket'>) => string {
  const fixed = settings.publicAddress.replace(/\/+$/, '');
  return ({ protocol, host, socket }) => {
    if (fixed !== '') return fixed;
    const own = hostPattern.test(host) ? host : `127.0.0.1:${socket.localPort}`;
    return `${protocol}://${own}${settings.pathPrefix}`;
  };
}
