import { isIP } from 'node:net';
import rateLimit, { normalizeIP, type RateLimitOptions } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../core/service-error.js';
import type { Settings } from '../../core/settings.js';
import type { SharedWindows } from '../../service/limits/shared-windows.js';

/**
 * How many requests an address and a key may make, by the minute. Each of several replicas allows an equal share; those of an
 * account that asks for exact limits are counted in the database, for all replicas together. Both throw `too_many_requests`,
 * which says when the minute is over.
 */
export interface RateLimits {
  /** Before the key is looked up, so that guessing keys is slowed as well. */
  checkAddress(request: FastifyRequest): Promise<void>;
  /** For requests that want no credential; always on. Browsers that a user signed in from before are counted apart. */
  checkOpen(request: FastifyRequest, isKnown: boolean): Promise<void>;
  /** After it, when `request.caller` is known: of people by the session. */
  checkKey(request: FastifyRequest): Promise<void>;
  /** Of an account, whose previews count no call; always on. */
  checkPreview(request: FastifyRequest): Promise<void>;
}

const windowMs = 60_000;
/** A user who signs in, is wrong, and tries a password or two needs a few; a whole office behind one address some dozens. */
const openRequestsPerMinute = 120;
/** Of one account: some pages of images that no browser shows. */
const previewsPerMinute = 240;
/** Addresses, and keys, that are counted at once; of more the longest unseen are forgotten. A few hundred bytes each. */
const maxCounted = 20_000;

interface RateLimitDeps {
  readonly settings: Pick<Settings, 'rateLimitPerAddress' | 'rateLimitPerKey'>;
  readonly openPerMinute?: number | undefined;
  /** Replicas that serve HTTP, this one among them: each allows its share. */
  readonly httpReplicas: () => number;
  /** With windows of a minute. */
  readonly sharedWindows: SharedWindows;
}

export async function createRateLimits(app: FastifyInstance, deps: RateLimitDeps): Promise<RateLimits> {
  const { settings, openPerMinute = openRequestsPerMinute, httpReplicas, sharedWindows } = deps;
  const { rateLimitPerAddress, rateLimitPerKey } = settings;
  // Routes ask for themselves, the one check before the key and the other after it.
  await app.register(rateLimit, { global: false });
  const limitTo = (
    max: number,
    what: string,
    countedBy: (request: FastifyRequest) => string,
    counted = 'requests',
  ) => {
    if (max === 0) return async () => undefined;
    const tooMany = (allowed: number, seconds: number) =>
      new ServiceError(
        'too_many_requests',
        `more than ${allowed} ${counted} a minute from this ${what}; try again in ${seconds} s`,
        { retryAfterSeconds: seconds },
      );
    const options: RateLimitOptions = {
      max: async () => Math.ceil(max / httpReplicas()),
      timeWindow: windowMs,
      keyGenerator: countedBy,
      cache: maxCounted,
    };
    const count = app.createRateLimit(options);
    return async (request: FastifyRequest): Promise<void> => {
      if (request.caller?.hasExactRateLimits) {
        const leftMs = await sharedWindows.count(`${counted} ${what} ${countedBy(request)}`, max);
        if (leftMs !== null) throw tooMany(max, Math.ceil(leftMs / 1000));
        return;
      }
      const result = await count(request);
      if (result.isAllowed || !result.isExceeded) return;
      throw tooMany(result.max, result.ttlInSeconds);
    };
  };
  const checkUnknown = limitTo(openPerMinute, 'address', siteOf);
  const checkKnown = limitTo(openPerMinute, 'address', siteOf);
  return {
    checkAddress: limitTo(rateLimitPerAddress, 'address', siteOf),
    checkOpen: (request, isKnown) => (isKnown ? checkKnown : checkUnknown)(request),
    checkKey: limitTo(rateLimitPerKey, 'key', ({ signedIn, caller }) =>
      signedIn ? `session ${signedIn.session.id}` : String(caller?.keyId),
    ),
    checkPreview: limitTo(
      previewsPerMinute,
      'account',
      ({ caller }) => String(caller?.accountId),
      'previews',
    ),
  };
}

/** The client's address; of IPv6 the /64 network, which is one site's. What a proxy sends and is no address is not counted by. */
export function siteOf(request: FastifyRequest): string {
  const { ip } = request;
  const address = isIP(ip) === 0 ? (request.socket.remoteAddress ?? '') : ip;
  return normalizeIP(address);
}
