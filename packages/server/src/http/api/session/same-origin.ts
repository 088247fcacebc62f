import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../../core/service-error.js';

/**
 * Throws `csrf` for a request that a browser says comes of a page of another origin. Browsers say by `Sec-Fetch-Site` where the
 * connection is one they trust, and by `Origin` else; programs say neither, and no page makes them send our cookie.
 */
export function checkSameOrigin(
  request: FastifyRequest,
  publicAddress: (request: FastifyRequest) => string,
): void {
  const { 'sec-fetch-site': site, origin } = request.headers;
  if (site !== undefined) {
    if (site === 'same-origin') return;
  } else {
    if (origin === undefined) return;
    const own = [hostOf(publicAddress(request)), request.host];
    const from = hostOf(origin);
    if (from !== null && own.includes(from)) return;
  }
  throw new ServiceError('csrf', 'this request comes from a page of another origin');
}

function hostOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).host : null;
}
