import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CompatProtocol } from '../../accounts/compat-settings.js';
import { ServiceError } from '../../core/service-error.js';
import type { Query } from '../../http/common/key.js';
import { createRequestSignal } from '../../http/common/request-signal.js';
import type { RouteDeps } from '../../wire/raw-body-handler.js';
import type { CompatAccess, CompatKeys } from '../compat-keys.js';
import type { UnknownBodies } from './unknown-bodies.js';

/** What the adapters of other services' protocols depend on. */
export interface CompatDeps extends RouteDeps {
  readonly compatKeys: Pick<CompatKeys, 'find'>;
  /** Bodies that are read before it is known whose they are. */
  readonly unknownBodies: UnknownBodies;
  /** Of a listener whose clients have no key: whom it lets in, whatever key they send. Null when its key ended. */
  readonly keyless?: () => Promise<CompatAccess | null>;
}

export type CompatRequest = FastifyRequest<{ Querystring: Query; Params: Record<string, string> }>;

/** An answer in the words of another service. */
export interface CompatAnswer {
  /** 200 unless given. */
  readonly status?: number;
  readonly body: unknown;
  /** A file in the place of the body. */
  readonly content?: {
    readonly mediaType: string;
    readonly sizeBytes: number;
    readonly stream: Readable;
  };
}

/** Answers one request; `signal` fires when the client is gone or the request's time is over. */
export type CompatHandler = (
  request: CompatRequest,
  reply: FastifyReply,
  signal: AbortSignal,
) => Promise<CompatAnswer>;

/** Adds a route that is answered before Fastify looks at the body: adapters read it themselves, whatever its type says. */
export function addCompatRoute(
  scope: FastifyInstance,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | readonly ('GET' | 'POST' | 'PUT' | 'DELETE')[],
  url: string,
  answer: CompatHandler,
  deps: CompatDeps,
): void {
  scope.route<{ Querystring: Query; Params: Record<string, string> }>({
    method: [method].flat(),
    url,
    onRequest: async (request, reply) => {
      await deps.rateLimits.checkAddress(request);
      // The wait for a turn counts in the time of the request.
      const signal = createRequestSignal(reply, deps);
      await deps.requestTurns.take(request, signal);
      const { status = 200, body, content } = await answer(request, reply, signal);
      if (content) {
        const { mediaType, sizeBytes, stream } = content;
        return reply.code(status).type(mediaType).header('content-length', sizeBytes).send(stream);
      }
      return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
    },
    handler: () => undefined,
  });
}

/**
 * Whom a key lets in. Throws `invalid_api_key` for every other key, one for another protocol among them, and
 * `too_many_requests`.
 */
export async function identifyCompat(
  request: FastifyRequest,
  key: string | undefined,
  protocol: CompatProtocol,
  deps: Pick<CompatDeps, 'compatKeys' | 'keyless' | 'rateLimits'>,
): Promise<CompatAccess> {
  const find = async (how: { readonly isAfresh: boolean }): Promise<CompatAccess> => {
    const access = await (deps.keyless
      ? deps.keyless()
      : key === undefined
        ? null
        : deps.compatKeys.find(key, how));
    if (access?.settings.protocol === protocol) return access;
    throw new ServiceError(
      'invalid_api_key',
      access === null
        ? 'the API key is missing, unknown, revoked or expired, or no key for clients of this kind'
        : `the API key is for clients of ${access.settings.protocol}`,
    );
  };
  const access = await find({ isAfresh: false });
  request.caller = access.caller;
  request.requireAccess = async () => {
    await find({ isAfresh: access.caller.hasLimit });
  };
  await deps.rateLimits.checkKey(request);
  return access;
}
