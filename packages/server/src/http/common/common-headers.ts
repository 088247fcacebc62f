import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * What every answer says to a browser unless its route says otherwise: it is what its type says, shows in no frame, runs nothing
 * where it is opened by itself, and is cached nowhere.
 */
export const commonHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const;

/** A year; other names of the same domain are not ours to decide about. */
const strictTransport = 'max-age=31536000';

/** Sets them, and where clients come by TLS that a browser comes by nothing else from now on. */
export function createSetCommonHeaders(
  publicAddress: (request: FastifyRequest) => string,
): (request: FastifyRequest, reply: FastifyReply) => void {
  return (request, reply) => {
    reply.headers(commonHeaders);
    if (isOverTls(request, publicAddress)) reply.header('strict-transport-security', strictTransport);
  };
}

/** Whether clients reach the service by TLS, as a trusted proxy or the public address says. */
export function isOverTls(
  request: FastifyRequest,
  publicAddress: (request: FastifyRequest) => string,
): boolean {
  return request.protocol === 'https' || publicAddress(request).startsWith('https:');
}
