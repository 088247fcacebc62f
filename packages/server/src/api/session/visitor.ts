import type { FastifyRequest } from 'fastify';
import type { Visitor } from '../../accounts/sessions/session.js';
import { siteOf } from '../../http/rate-limits.js';

/** Where a request comes from. */
export function visitorOf(request: FastifyRequest): Visitor {
  return { address: request.ip, site: siteOf(request), userAgent: request.headers['user-agent'] ?? '' };
}
