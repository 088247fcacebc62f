import type { FastifyRequest } from 'fastify';
import type { Visitor } from '../../../accounts/users/sessions/session.js';
import { siteOf } from '../../common/rate-limits.js';
import { type CookieDeps, readDeviceCookie } from './cookie.js';

/** Where a request comes from. */
export function visitorOf(request: FastifyRequest, deps: CookieDeps): Visitor {
  return {
    address: request.ip,
    site: siteOf(request),
    userAgent: request.headers['user-agent'] ?? '',
    devices: readDeviceCookie(request, deps),
  };
}
