import { isIP } from 'node:net';
import { normalizeIP } from '@fastify/rate-limit';
import Fastify, { type FastifyInstance } from 'fastify';
import type { CompatKeys } from '../compat/compat-keys.js';
import type { CompatListener } from '../compat/compat-listeners.js';
import { ServiceError } from '../core/service-error.js';
import type { Settings } from '../core/settings.js';
import { createIsTrusted, parseTrustedProxies } from '../core/trusted-proxies.js';
import { limitConnectionsOfAccounts } from './admission.js';
import { limitArrival } from './arrival.js';
import { noteAnswers } from './client-error.js';
import { commonHeaders } from './common/common-headers.js';
import type { Logger } from './common/logger.js';
import { sendCompatError } from './compat/send-error.js';
import { createLetIn, rememberAccess } from './compat-listeners/let-in.js';
import { type ListenerDeps, listenerProtocols } from './compat-listeners/protocols.js';
import { followConnections } from './connections.js';
import { createErrorAnswers } from './errors.js';
import { refuseConnection, type ToBody } from './refuse-connection.js';
import { createLogRequest, decorateRequests, type ObservedRequest } from './request-log.js';
import { serverOptions } from './server-options.js';

export interface ListenerAppDeps extends Omit<ListenerDeps, 'settings' | 'keyless'> {
  readonly settings: ListenerDeps['settings'] &
    Pick<Settings, 'trustedProxies' | 'connectionsPerAddress' | 'connectionsPerAccount'> &
    Parameters<typeof limitConnectionsOfAccounts>[1]['settings'];
  readonly compatKeys: Pick<CompatKeys, 'find' | 'findById'>;
  readonly logger: Logger;
  readonly graceMs: number;
  readonly observe?: (request: ObservedRequest) => void;
}

/** Of one listener: its clients are some cameras and programs. */
const maxConnections = 256;
const maxRequestsInProgress = 8;

/** Serves the protocol of one key to whoever comes from the networks of its listener; `listen` and `close` are the caller's. */
export async function buildListenerApp(
  { id, keyId, protocol: name, networks }: CompatListener,
  deps: ListenerAppDeps,
): Promise<FastifyInstance> {
  const { settings, logger, graceMs, compatKeys } = deps;
  const protocol = listenerProtocols[name];
  const trustedProxies = parseTrustedProxies(settings.trustedProxies);
  const isProxy = createIsTrusted(trustedProxies);
  const letIn = createLetIn({
    networks,
    isProxy,
    onRefused: (address) =>
      logger.info({ listener: id, address }, 'an address outside the networks of a listener was refused'),
  });
  const errors = createErrorAnswers({
    ...{ pathPrefix: '', errorsAsOk: false, logger },
    apiRoutes: { methodsAt: () => [] },
  });
  const toBody: ToBody = (error) => {
    const { status, body } = protocol.toError(error);
    return { status, body: JSON.stringify(body) };
  };
  const app = Fastify({
    ...serverOptions({ settings, trustedProxies, slowestMs: settings.requestTimeoutMs, graceMs, toBody }),
    frameworkErrors: (error, request, reply) => {
      // No hook has run on these.
      reply.headers(commonHeaders).header('x-request-id', request.id);
      sendCompatError(errors.explain(error, request), reply, protocol.toError);
    },
  });

  letIn.connections(app.server);
  const connections = followConnections(app.server, {
    maxConnections,
    reserved: 0,
    maxPerAddress: settings.connectionsPerAddress || Number.POSITIVE_INFINITY,
    addressOf: ({ remoteAddress = '' }) =>
      isIP(remoteAddress) === 0 || isProxy(remoteAddress) ? null : normalizeIP(remoteAddress),
    maxInProgress: maxRequestsInProgress,
    refuse: (socket) => {
      refuseConnection(socket, new ServiceError('service_busy', 'too many connections are open'), toBody);
    },
  });
  noteAnswers(app.server);
  app.addHook('preClose', async () => connections.finish());

  const log = createLogRequest({ logger, observe: deps.observe, fields: { listener: id } });
  decorateRequests(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders).header('x-request-id', request.id);
    log.whenClosed(request, reply);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    log.answered(request, reply, reply.statusCode);
    done();
  });
  limitArrival(app, settings.requestTimeoutMs + graceMs, toBody);
  letIn.requests(app);
  const key = rememberAccess(() => compatKeys.findById(keyId));
  app.addHook('onRequest', async () => {
    if ((await key.afresh()) !== null) return;
    throw new ServiceError('invalid_api_key', 'the key of this listener was revoked or has expired');
  });

  // Adapters read bodies themselves.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => done(null));
  app.setErrorHandler((error, request, reply) =>
    sendCompatError(errors.explain(error, request), reply, protocol.toError),
  );
  app.setNotFoundHandler((request, reply) => {
    const nothing = new ServiceError('not_found', 'there is nothing at this path');
    return sendCompatError(errors.explain(nothing, request), reply, protocol.toError);
  });
  const rateLimits = limitConnectionsOfAccounts(deps.rateLimits, { ...deps, connections });
  protocol.addRoutes(app, { ...deps, rateLimits, keyless: key.access }, errors.explain);
  for (const url of protocol.probes) {
    app.get(url, async (request, reply) => {
      await rateLimits.checkAddress(request);
      return reply.type('application/json; charset=utf-8').send('{"success":true,"status":"ok"}');
    });
  }
  return app;
}
