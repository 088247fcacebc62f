import { availableParallelism } from 'node:os';
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import { createUnknownBodies } from '../../compat/common/unknown-bodies.js';
import type { CompatListenerStore } from '../../compat/compat-listeners.js';
import { addComprefaceRoutes } from '../../compat/compreface/routes.js';
import { addDeepstackRoutes } from '../../compat/deepstack/routes.js';
import { addDoodsRoutes } from '../../compat/doods/routes.js';
import type { ListenerDeps } from '../../compat/listeners/protocols.js';
import { createCompatListeners, type RunningListeners } from '../../compat/running-listeners.js';
import type { Settings } from '../../core/settings.js';
import { addFaceImageRoute } from '../../faces/routes/served-images.js';
import { admitRequests, limitConnectionsOfAccounts } from '../../http/admission.js';
import { createEventStreams } from '../../http/api/event-streams.js';
import type { ApiDocument } from '../../http/api-document.js';
import { createSetCommonHeaders } from '../../http/common/common-headers.js';
import { createRateLimits } from '../../http/common/rate-limits.js';
import { createRequestTurns } from '../../http/common/request-turns.js';
import { isVisit, type ShowPage, serveConsole } from '../../http/console/serve-console.js';
import { addDocs } from '../../http/docs.js';
import { addHealthRoutes, type Health } from '../../http/health.js';
import { createHttpServer } from '../../http/http-server.js';
import { createPublicAddress } from '../../http/public-address.js';
import type { ToBody } from '../../http/refuse-connection.js';
import type { ObservedRequest } from '../../http/request-log.js';
import { noteRoutes } from '../../http/route-table.js';
import { buildSharedSerializers } from '../../http/shared-serializers.js';
import { createSharedWindows } from '../../service/limits/shared-windows.js';
import type { Database } from '../../storage/database.js';
import { writeJson } from '../../wire/json.js';
import type { RouteDeps } from '../../wire/raw-body-handler.js';
import { toV1Error } from '../../wire/v1/errors.js';
import { addV1Routes } from '../../wire/v1/routes.js';
import { addV2Routes } from '../../wire/v2/routes.js';
import { type AllApiDeps, addApiRoutes } from './api-routes.js';
import { createErrorAnswers } from './errors.js';
import type { ListenerAppDeps } from './listener-app.js';
import { openListener } from './open-listener.js';

export type { ObservedRequest } from '../../http/request-log.js';

export interface HttpAppDeps
  extends Omit<
    RouteDeps & AllApiDeps & ListenerDeps,
    | 'settings'
    | 'rateLimits'
    | 'requestTurns'
    | 'publicAddress'
    | 'unknownBodies'
    | 'keyless'
    | 'compatListeners'
    | 'eventStreams'
  > {
  readonly settings: RouteDeps['settings'] &
    Pick<
      Settings,
      | 'pathPrefix'
      | 'inferenceProcesses'
      | 'sessionMaxDays'
      | 'errorsAsOk'
      | 'maxConnections'
      | 'maxPixels'
      | 'connectionsReserved'
      | 'connectionsPerAddress'
      | 'connectionsPerAccount'
      | 'maxEventStreams'
      | 'videoMaxBytes'
      | 'eventStreamsPerAccount'
      | 'eventStreamsPerAddress'
      | 'maxArchiveBytes'
      | 'maxModelBytes'
      | 'importTimeoutMs'
      | 'rateLimitPerAddress'
      | 'rateLimitPerKey'
      | 'trustedProxies'
      | 'publicAddress'
      | 'compatListenerPorts'
    >;
  readonly compatKeys: AllApiDeps['compatKeys'] & ListenerAppDeps['compatKeys'];
  readonly compatListenerStore: CompatListenerStore;
  readonly health: Health;
  /** Where requests of accounts with exact limits are counted. */
  readonly database: Database;
  /** Replicas alive that serve HTTP, this one among them. */
  readonly httpReplicas: () => number;
  /** Of one address, for requests that want no credential; for tests. */
  readonly openRequestsPerMinute?: number;
  /** How often it is looked which listeners there are; for tests. */
  readonly listenersIntervalMs?: number;
  /** What `/docs` shows; null to gather it from the routes, where it is written or tested. */
  readonly apiDocument: ApiDocument | null;
  /** Where the built page of the web account is; none is served when absent. */
  readonly consoleDir?: string;
  /** Time for a refusal to reach a client that goes on sending, after the request's own time is over. */
  readonly graceMs?: number;
  /** Told of every request when it ends; `route` is the pattern of its path, never the path itself. */
  readonly observe?: (request: ObservedRequest) => void;
}

const usualGraceMs = 5000;
/** Of what no route is known: in the form of v1. */
const toBody: ToBody = (error, requestId) => ({ body: writeJson(toV1Error(error, requestId)) });
/** On one connection, sent before the first is answered. */
const maxRequestsInProgress = 32;

/** The HTTP side of the service; `listen` and `close` are the caller's. */
export async function buildHttpApp(deps: HttpAppDeps): Promise<FastifyInstance> {
  const { settings, logger, graceMs = usualGraceMs } = deps;
  const publicAddress = createPublicAddress(settings);
  const setCommonHeaders = createSetCommonHeaders(publicAddress);
  const { app, connections, isProxy } = createHttpServer({
    ...{ settings, graceMs, toBody, logger, maxInProgress: maxRequestsInProgress },
    // Every other route has its own time.
    slowestMs: Math.max(settings.requestTimeoutMs, settings.importTimeoutMs),
    maxConnections: settings.maxConnections,
    reserved: settings.connectionsReserved,
    observe: deps.observe,
    setHeaders: setCommonHeaders,
    answerError(error, request, reply) {
      reply.header('access-control-allow-origin', '*');
      errors.answerError(error, request, reply);
    },
    options: {
      // Before it is ready, or the first answer with a choice in it would hold the thread for some 100 ms.
      // Ajv's optimizer took a third of the time to compile them.
      serializerOpts: { compileValidators: true, ajv: { code: { optimize: false } } },
      schemaController: { compilersFactory: { buildSerializer: buildSharedSerializers } },
    },
  });
  const routes = noteRoutes(app);
  const errors = createErrorAnswers({ ...settings, logger, apiRoutes: routes });
  app.addHook('onRequest', async (request, reply) => {
    // The next hook would answer any such question with yes.
    if (request.method === 'OPTIONS' && !errors.isKnown(request)) return errors.answerNoRoute(request, reply);
  });
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'POST', 'PUT'],
    exposedHeaders: ['X-Request-Id', 'X-File-Id', 'Retry-After'],
    maxAge: 86_400,
    strictPreflight: false,
  });
  // Also outside of the API, where it opens nothing: administrators are known by it when the service is full.
  await app.register(cookie);
  const admission = { connections, isProxy, settings, publicAddress, sessions: deps.users.sessions };
  admitRequests(app, admission);
  const rateLimits = await createRateLimits(app, {
    settings,
    openPerMinute: deps.openRequestsPerMinute,
    httpReplicas: deps.httpReplicas,
    sharedWindows: createSharedWindows({ kind: 'requests', windowMs: 60_000 }, deps),
  });
  const shared = {
    ...deps,
    publicAddress,
    eventStreams: createEventStreams(settings),
    unknownBodies: createUnknownBodies(),
    requestTurns: createRequestTurns(settings.inferenceProcesses || availableParallelism()),
  };
  const compatListeners = createCompatListeners({
    store: deps.compatListenerStore,
    // They count by the same limits; connections each by itself.
    open: (listener) => openListener(listener, { ...shared, rateLimits, graceMs }),
    logger,
    isUsed: settings.compatListenerPorts !== '',
    intervalMs: deps.listenersIntervalMs,
  });
  runWith(app, compatListeners);
  const routeDeps = {
    ...shared,
    compatListeners,
    rateLimits: limitConnectionsOfAccounts(rateLimits, { ...admission, ...shared }),
  };
  // Routes that need a parsed body say so in a scope of their own; v1 and v2 read theirs themselves.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => done(null));
  app.setErrorHandler((error, request, reply) => errors.answerError(error, request, reply));
  let showPage: ShowPage | null = null;
  app.setNotFoundHandler((request, reply) => {
    const isBelow = request.url.startsWith(`${settings.pathPrefix}/`);
    // A mistyped address of the page is reported by the page.
    if (showPage && isBelow && isVisit(request) && !errors.isKnown(request))
      return showPage(request, reply.code(404));
    return errors.answerNoRoute(request, reply);
  });

  await app.register(
    async (prefixed) => {
      if (deps.apiDocument === null) {
        const { gatherApiDocument } = await import('./gather-api-document.js');
        await gatherApiDocument(prefixed, settings.pathPrefix);
      }
      addHealthRoutes(prefixed, deps.health);
      addV1Routes(prefixed, routeDeps);
      addV2Routes(prefixed, routeDeps);
      addFaceImageRoute(prefixed, deps.faces);
      addDeepstackRoutes(prefixed, routeDeps, errors.explain);
      addDoodsRoutes(prefixed, routeDeps, errors.explain);
      addComprefaceRoutes(prefixed, routeDeps, errors.explain);
      addApiRoutes(prefixed, routeDeps);
      await addDocs(prefixed, settings.pathPrefix, deps.apiDocument);
      if (deps.consoleDir) showPage = await serveConsole(prefixed, { dir: deps.consoleDir, ...settings });
    },
    { prefix: settings.pathPrefix },
  );
  return app;
}

/** Listeners beside this one open after it and close with it, at the same time. */
function runWith(app: FastifyInstance, listeners: Pick<RunningListeners, 'start' | 'stop'>): void {
  let stopped: Promise<void> | undefined;
  app.addHook('onListen', () => listeners.start());
  app.addHook('preClose', async () => {
    stopped = listeners.stop();
  });
  app.addHook('onClose', () => stopped ?? listeners.stop());
}
