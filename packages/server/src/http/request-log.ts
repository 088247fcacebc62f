import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../core/error-catalogue.js';
import { ServiceError } from '../core/service-error.js';
import type { Logger } from './common/logger.js';
import { endTurns } from './common/request-turns.js';

export interface ObservedRequest {
  readonly method: string;
  readonly route: string;
  /** 499 when the connection closed before the answer was out. */
  readonly status: number;
  readonly durationMs: number;
  /** What it was refused with, when it was. */
  readonly error: ErrorCode | undefined;
}

/** No answer was sent: nginx made this number common in logs. */
const closedBeforeAnswer = 499;

/** What is known of a request as it goes on; nobody is let in yet. */
export function decorateRequests(app: FastifyInstance): void {
  app.decorateRequest('caller', undefined);
  app.decorateRequest('isStillLetIn', async () => false);
  app.decorateRequest('requireAccess', async () => {
    throw new ServiceError('invalid_api_key', 'no API key');
  });
  app.decorateRequest('errorCode', undefined);
  endTurns(app);
}

/** Writes a line for each request when it ends; `route` is the pattern of its path, never the path itself. */
export function createLogRequest({
  logger,
  observe,
  fields = {},
}: {
  readonly logger: Logger;
  readonly observe: ((request: ObservedRequest) => void) | undefined;
  /** Of every line. */
  readonly fields?: Readonly<Record<string, number | string>>;
}) {
  const log = (request: FastifyRequest, reply: FastifyReply, status: number): void => {
    const seen = {
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
      error: request.errorCode,
    };
    logger.info({ requestId: request.id, keyId: request.caller?.keyId, ...fields, ...seen }, 'request');
    observe?.(seen);
  };
  return {
    answered: log,
    /** Fastify reports finished answers only. */
    whenClosed: (request: FastifyRequest, reply: FastifyReply): void => {
      reply.raw.once('close', () => {
        if (!reply.raw.writableFinished) log(request, reply, closedBeforeAnswer);
      });
    },
  };
}
