import type { IncomingMessage } from 'node:http';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { sendCompatError } from '../../compat/common/send-error.js';
import type { ErrorCode } from '../../core/error-catalogue.js';
import { hideKeys } from '../../core/hide-keys.js';
import { ServiceError } from '../../core/service-error.js';
import { isApiPath, problemType, toProblem } from '../../http/api/problem.js';
import { explainBodyRefusal } from '../../http/api/read-json.js';
import type { Logger } from '../../http/common/logger.js';
import type { RouteTable } from '../../http/route-table.js';
import { StorageError, type StorageErrorCode } from '../../storage/storage-error.js';
import { writeJson } from '../../wire/json.js';
import { toV1Error } from '../../wire/v1/errors.js';
import { v1Paths } from '../../wire/v1/routes.js';
import { toV2Error } from '../../wire/v2/errors.js';
import { v2Paths } from '../../wire/v2/routes.js';
import { errorOfOtherService } from './other-services.js';

const absoluteForm = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/** A client that was refused may go on sending for this long and this much before its connection is cut. */
const maxDrainBytes = 64 * 1024 * 1024;

const maxDrainMs = 10_000;

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request was refused with, once it was. */
    errorCode: ErrorCode | undefined;
  }
}

const knownPaths = { ...v1Paths, ...v2Paths };

export function createErrorAnswers(options: {
  readonly pathPrefix: string;
  readonly errorsAsOk: boolean;
  readonly logger: Logger;
  readonly apiRoutes: RouteTable;
}) {
  const { pathPrefix, errorsAsOk, logger, apiRoutes } = options;

  const pathOf = (request: FastifyRequest): string => ownPath(request.raw.url ?? '', pathPrefix);

  const settle = (serviceError: ServiceError, request: FastifyRequest): ServiceError => {
    drainBody(request.raw);
    const { retryAfterSeconds, current } = serviceError;
    const message = hideKeys(serviceError.message, request.query, request.headers);
    request.errorCode = serviceError.code;
    return new ServiceError(serviceError.code, message, { retryAfterSeconds, current });
  };

  const logOurs = (serviceError: ServiceError, request: FastifyRequest) => {
    const isOurs = serviceError.entry.http >= 500;
    const { cause } = serviceError;
    if (
      isOurs &&
      (serviceError.code === 'internal_error' || cause instanceof StorageError || isFullDisk(cause))
    ) {
      logger.error({ err: cause ?? serviceError, requestId: request.id }, 'request failed');
    }
  };

  const send = (serviceError: ServiceError, request: FastifyRequest, reply: FastifyReply) => {
    const error = settle(serviceError, request);
    const { retryAfterSeconds } = error;
    const path = pathOf(request);
    const { http } = error.entry;
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
    const toOther = errorOfOtherService(path);
    if (toOther) return sendCompatError(error, reply, toOther);
    if (isApiPath(path)) {
      // A path without a route got it from the scope of all paths.
      reply.removeHeader('access-control-allow-origin');
      return reply
        .code(http)
        .type(problemType)
        .send(JSON.stringify(toProblem(error, request.id)));
    }
    const body = Object.hasOwn(v2Paths, path) ? toV2Error(error, request.id) : toV1Error(error, request.id);
    return reply
      .code(errorsAsOk && Object.hasOwn(knownPaths, path) ? 200 : http)
      .type('application/json; charset=utf-8')
      .send(writeJson(body));
  };

  const methodsAt = (path: string): readonly string[] => {
    if (isApiPath(path)) return apiRoutes.methodsAt(pathPrefix + path);
    const methods = Object.hasOwn(knownPaths, path) ? knownPaths[path] : undefined;
    return methods ? [...methods, 'OPTIONS'] : [];
  };

  const answerNoRoute = (request: FastifyRequest, reply: FastifyReply) => {
    const path = pathOf(request);
    const methods = methodsAt(path);
    // Interfaces of other services have no other answer for a wrong method.
    if (methods.length === 0 || errorOfOtherService(path)) {
      return send(new ServiceError('not_found', 'there is nothing at this path'), request, reply);
    }
    const allowed = methods.join(', ');
    reply.header('allow', allowed);
    return send(new ServiceError('method_not_allowed', `this path takes ${allowed}`), request, reply);
  };

  return {
    /** Any error of any route; logs those that are ours, once. */
    answerError: (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
      // Fastify refuses an odd content type before it finds that no route would have read the body.
      if (request.is404 && isRefusal(error) && error.statusCode === 415) return answerNoRoute(request, reply);
      const serviceError = toServiceError(explainBodyRefusal(error), isApiPath(pathOf(request)));
      logOurs(serviceError, request);
      return send(serviceError, request, reply);
    },
    /** The same error for an adapter that has its own words: logged where it is ours, and the rest of the body is read away. */
    explain: (error: unknown, request: FastifyRequest): ServiceError => {
      const serviceError = toServiceError(error, false);
      logOurs(serviceError, request);
      return settle(serviceError, request);
    },
    /** No route: 405 for a known path, else 404. */
    answerNoRoute,
    /** Whether anything is at the path of a request, by whatever method. */
    isKnown: (request: FastifyRequest): boolean => {
      const path = pathOf(request);
      return methodsAt(path).length > 0 || apiRoutes.methodsAt(pathPrefix + path).length > 0;
    },
  };
}

/** Faults of the storage that may be over at the next try. */
const transientErrors: ReadonlySet<StorageErrorCode> = new Set(['busy', 'overloaded', 'lost', 'closed']);

function isFullDisk(error: unknown): boolean {
  if (error instanceof StorageError) return error.code === 'full';
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

function toServiceError(error: unknown, isApi: boolean): ServiceError {
  if (error instanceof ServiceError) {
    // The predict paths know a service that is busy, and no full disk.
    if (isApi || error.code !== 'no_space') return error;
    return new ServiceError('service_busy', error.message, { cause: error });
  }
  if (isFullDisk(error)) {
    const message = 'the disk of the service is full: nothing more is kept until its operator makes room';
    return new ServiceError(isApi ? 'no_space' : 'service_busy', message, { cause: error });
  }
  if (error instanceof StorageError && error.code === 'away') {
    return new ServiceError(
      'service_busy',
      'the store of images and models cannot be reached or cannot keep up; try again shortly',
      { cause: error },
    );
  }
  if (error instanceof StorageError && transientErrors.has(error.code)) {
    return new ServiceError(
      'service_busy',
      'the database cannot be reached or cannot keep up; try again shortly',
      {
        cause: error,
      },
    );
  }
  if (isRefusal(error))
    return new ServiceError('bad_request', 'the request cannot be read', { cause: error });
  return new ServiceError(
    'internal_error',
    'the service failed; its log has the reason under this request id',
    {
      cause: error,
    },
  );
}

// Fastify's own refusals, such as of a path that is not valid percent-encoding.
function isRefusal(error: unknown): error is FastifyError {
  return (
    error instanceof Error &&
    'statusCode' in error &&
    typeof error.statusCode === 'number' &&
    error.statusCode >= 400 &&
    error.statusCode < 500
  );
}

/**
 * Reads the rest of a refused body and throws it away. Many clients look for an answer only when they have sent
 * everything, and a connection closed before that loses the answer.
 */
function drainBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  let rest = maxDrainBytes;
  // Once it is answered, Node does not tell the request that its connection was cut: the timer must not hold the end up.
  const timer = setTimeout(() => request.destroy(), maxDrainMs).unref();
  request.on('data', (chunk: Buffer) => {
    rest -= chunk.byteLength;
    if (rest < 0) request.destroy();
  });
  request.on('error', () => undefined);
  request.on('close', () => clearTimeout(timer));
  request.resume();
}

/**
 * The path of a request target as the router reads it, below the prefix and without a slash at its end: `/predict` also
 * where it came in absolute form (RFC 9112, section 3.2.2) or percent-encoded. Empty when it does not lie below the prefix.
 */
export function ownPath(target: string, prefix: string): string {
  const [path = ''] = target.replace(absoluteForm, '').split(/[?#]/);
  const plain = decodePlain(path);
  if (!plain.startsWith(prefix)) return '';
  return plain.slice(prefix.length).replace(/\/$/, '');
}

/** An encoded slash stays: it separates nothing. */
function decodePlain(path: string): string {
  try {
    return path
      .split(/(%2f)/i)
      .map((piece) => (/^%2f$/i.test(piece) ? piece : decodeURIComponent(piece)))
      .join('');
  } catch {
    return path;
  }
}
