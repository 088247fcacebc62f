import type { FastifyReply, FastifyRequest } from 'fastify';
import { comesByTls } from '../../http/common-headers.js';
import type { ApiDeps } from '../scope.js';

export const sessionCookie = 'lynceus_session';

type CookieDeps = Pick<ApiDeps, 'publicAddress'> & {
  readonly settings: Pick<ApiDeps['settings'], 'pathPrefix' | 'sessionMaxDays'>;
};

/** The token of the session that the browser has; undefined without one. */
export function readSessionToken(request: Pick<FastifyRequest, 'cookies'>): string | undefined {
  return request.cookies[sessionCookie] || undefined;
}

/** For no script to read and no other site to send along, and for TLS alone where that is how clients come. */
export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  deps: CookieDeps,
): void {
  reply.setCookie(sessionCookie, token, {
    ...attributes(request, deps),
    // The service ends it earlier when it is not used.
    maxAge: deps.settings.sessionMaxDays * 86_400,
  });
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply, deps: CookieDeps): void {
  reply.clearCookie(sessionCookie, attributes(request, deps));
}

function attributes(request: FastifyRequest, { publicAddress, settings }: CookieDeps) {
  const secure = comesByTls(request, publicAddress);
  return { path: settings.pathPrefix || '/', httpOnly: true, sameSite: 'lax', secure } as const;
}
