import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { normalizeIP } from '@fastify/rate-limit';
import Fastify, {
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RawServerDefault,
} from 'fastify';
import { maxNameLength } from '../accounts/names.js';
import { ServiceError } from '../core/service-error.js';
import type { Settings } from '../core/settings.js';
import { createIsTrusted, parseTrustedProxies } from '../core/trusted-proxies.js';
import { limitArrival } from './arrival.js';
import { createAnswerClientError, noteAnswers } from './client-error.js';
import type { Logger } from './common/logger.js';
import { type ConnectionOptions, type Connections, followConnections } from './connections.js';
import { mergeSlashes } from './merge-slashes.js';
import { refuseConnection, type ToBody } from './refuse-connection.js';
import { createLogRequest, decorateRequests, type ObservedRequest } from './request-log.js';

const keepAliveTimeoutMs = 72_000;
const headersTimeoutMs = 15_000;
/** Connections are looked at so much oftener than the grace is long. */
const checksInGrace = 2.5;
/** The name of a person as part of a path, of which each character may be four bytes that are escaped. */
const maxParamLength = maxNameLength * 4 * 3;

interface HttpServerOptions extends Pick<ConnectionOptions, 'maxConnections' | 'reserved' | 'maxInProgress'> {
  readonly settings: Pick<Settings, 'requestTimeoutMs' | 'trustedProxies' | 'connectionsPerAddress'>;
  /** Time of the slowest route. */
  readonly slowestMs: number;
  readonly graceMs: number;
  readonly logger: Logger;
  /** Of every line of the log. */
  readonly logFields?: Readonly<Record<string, number | string>>;
  readonly observe: ((request: ObservedRequest) => void) | undefined;
  /** Of what no request is known of. */
  readonly toBody: ToBody;
  /** The headers of every answer. */
  readonly setHeaders: (request: FastifyRequest, reply: FastifyReply) => void;
  /** Answers what Fastify refuses before any hook has run. */
  readonly answerError: (error: Error, request: FastifyRequest, reply: FastifyReply) => void;
  /** Closes connections before they are counted. */
  readonly refuseConnections?: (server: Server) => void;
  /** Of Fastify, beside those of every server here. */
  readonly options?: Pick<FastifyHttpOptions<RawServerDefault>, 'serializerOpts' | 'schemaController'>;
}

/**
 * A server whose requests go this way: a connection with a slot (connections.ts), an id and the headers of every answer, a line in the
 * log when it ends, and a time in which its body arrives (arrival.ts). What comes after that is added by the caller: who is admitted,
 * by which key, within which limits, and the handlers.
 */
export function createHttpServer({ settings, graceMs, toBody, logger, ...given }: HttpServerOptions): {
  readonly app: FastifyInstance;
  readonly connections: Connections;
  /** Whether what is at the other end of a connection stands for many clients. */
  readonly isProxy: (address: string) => boolean;
} {
  const trustedProxies = parseTrustedProxies(settings.trustedProxies);
  const isProxy = createIsTrusted(trustedProxies);
  const begin = (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('x-request-id', request.id);
    given.setHeaders(request, reply);
  };
  const app = Fastify({
    ...given.options,
    logger: false,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    genReqId: () => randomUUID(),
    exposeHeadRoutes: false,
    requestTimeout: given.slowestMs + graceMs,
    // Ten seconds by default, which a machine that is busy with other work exceeds at a start.
    pluginTimeout: 120_000,
    keepAliveTimeout: keepAliveTimeoutMs,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    http: {
      headersTimeout: Math.min(headersTimeoutMs, settings.requestTimeoutMs),
      connectionsCheckingInterval: graceMs / checksInGrace,
      // Node would answer a request without one by an empty 400; no route looks at it.
      requireHostHeader: false,
    },
    clientErrorHandler: createAnswerClientError(toBody),
    frameworkErrors: (error, request, reply) => {
      begin(request, reply);
      given.answerError(error, request, reply);
    },
    // Before anything reads the address: every check and every route then sees the same path.
    rewriteUrl: ({ url = '' }) => mergeSlashes(url),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength },
  });

  given.refuseConnections?.(app.server);
  const connections = followConnections(app.server, {
    ...given,
    maxPerAddress: settings.connectionsPerAddress || Number.POSITIVE_INFINITY,
    addressOf: ({ remoteAddress = '' }: Socket) =>
      isIP(remoteAddress) === 0 || isProxy(remoteAddress) ? null : normalizeIP(remoteAddress),
    refuse: (socket) => {
      refuseConnection(socket, new ServiceError('service_busy', 'too many connections are open'), toBody);
    },
  });
  noteAnswers(app.server);
  app.addHook('preClose', async () => connections.finish());

  const log = createLogRequest({
    logger,
    observe: given.observe,
    ...(given.logFields ? { fields: given.logFields } : {}),
  });
  decorateRequests(app);
  app.addHook('onRequest', (request, reply, done) => {
    begin(request, reply);
    log.whenClosed(request, reply);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    log.answered(request, reply, reply.statusCode);
    done();
  });
  limitArrival(app, settings.requestTimeoutMs + graceMs, toBody);
  return { app, connections, isProxy };
}
