import type { FastifyReply, FastifyRequest } from 'fastify';
import { deviceDays } from '../../../accounts/users/sessions/known-devices.js';
import { isOverTls } from '../../common/common-headers.js';
import type { ApiDeps } from '../scope.js';

/** Where TLS and no path prefix allow it, both have the prefix of `hostPrefix`. */
const sessionCookie = 'lynceus_session';
const deviceCookie = 'lynceus_device';
/** A browser takes such a cookie by TLS alone, for this host alone: no page of a host beside it plants one (RFC 6265bis, 4.1.3.2). */
const hostPrefix = '__Host-';

export type CookieDeps = Pick<ApiDeps, 'publicAddress'> & {
  readonly settings: Pick<ApiDeps['settings'], 'pathPrefix' | 'sessionMaxDays'>;
};

/** A session as a browser shows it. */
export interface ShownSession {
  readonly token: string;
  /** It came under the name of old, where the one with the prefix is in force: good for a session that is as old alone. */
  readonly isUnderOldName: boolean;
}

/** The session that the browser has; undefined without one. */
export function readSessionCookie(request: FastifyRequest, deps: CookieDeps): ShownSession | undefined {
  const { cookies } = request;
  const hasPrefix = takesHostPrefix(request, deps);
  const prefixed = hasPrefix ? cookies[hostPrefix + sessionCookie] : undefined;
  const token = prefixed || cookies[sessionCookie];
  return token ? { token, isUnderOldName: hasPrefix && !prefixed } : undefined;
}

/** For no script to read and no other site to send along, and for TLS alone where that is how clients come. */
export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  deps: CookieDeps,
): void {
  reply.setCookie(nameOf(sessionCookie, request, deps), token, {
    ...attributes(request, deps),
    // The service ends it earlier when it is not used.
    maxAge: deps.settings.sessionMaxDays * 86_400,
  });
  if (takesHostPrefix(request, deps) && request.cookies[sessionCookie] !== undefined) {
    reply.clearCookie(sessionCookie, attributes(request, deps));
  }
}

/** Under both its names. */
export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply, deps: CookieDeps): void {
  reply.clearCookie(sessionCookie, attributes(request, deps));
  if (takesHostPrefix(request, deps)) {
    reply.clearCookie(hostPrefix + sessionCookie, attributes(request, deps));
  }
}

/** What the browser is known by; it stays when its user signs out. */
export function readDeviceCookie(request: FastifyRequest, deps: CookieDeps): string | undefined {
  return request.cookies[nameOf(deviceCookie, request, deps)];
}

export function setDeviceCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  value: string,
  deps: CookieDeps,
): void {
  reply.setCookie(nameOf(deviceCookie, request, deps), value, {
    ...attributes(request, deps),
    // The page alone asks with it.
    sameSite: 'strict',
    maxAge: deviceDays * 86_400,
  });
}

function nameOf(name: string, request: FastifyRequest, deps: CookieDeps): string {
  return takesHostPrefix(request, deps) ? hostPrefix + name : name;
}

function takesHostPrefix(request: FastifyRequest, { publicAddress, settings }: CookieDeps): boolean {
  return settings.pathPrefix === '' && isOverTls(request, publicAddress);
}

function attributes(request: FastifyRequest, { publicAddress, settings }: CookieDeps) {
  const secure = isOverTls(request, publicAddress);
  return { path: settings.pathPrefix || '/', httpOnly: true, sameSite: 'lax', secure } as const;
}
