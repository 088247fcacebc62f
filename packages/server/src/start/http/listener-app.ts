import type { FastifyInstance } from 'fastify';
import { sendCompatError } from '../../compat/common/send-error.js';
import type { CompatKeys } from '../../compat/compat-keys.js';
import type { CompatListener } from '../../compat/compat-listeners.js';
import { createLetIn, rememberAccess } from '../../compat/listeners/let-in.js';
import { type ListenerDeps, listenerProtocols } from '../../compat/listeners/protocols.js';
import { ServiceError } from '../../core/service-error.js';
import type { Settings } from '../../core/settings.js';
import { createIsTrusted, parseTrustedProxies } from '../../core/trusted-proxies.js';
import { limitConnectionsOfAccounts } from '../../http/admission.js';
import { commonHeaders } from '../../http/common/common-headers.js';
import type { Logger } from '../../http/common/logger.js';
import { createHttpServer } from '../../http/http-server.js';
import type { ObservedRequest } from '../../http/request-log.js';
import { createErrorAnswers } from './errors.js';

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
  const errors = createErrorAnswers({
    ...{ pathPrefix: '', errorsAsOk: false, logger },
    apiRoutes: { methodsAt: () => [] },
  });
  const letIn = createLetIn({
    networks,
    isProxy: createIsTrusted(parseTrustedProxies(settings.trustedProxies)),
    onRefused: (address) =>
      logger.info({ listener: id, address }, 'an address outside the networks of a listener was refused'),
  });
  const { app, connections } = createHttpServer({
    ...{ settings, graceMs, logger, maxConnections, reserved: 0, maxInProgress: maxRequestsInProgress },
    slowestMs: settings.requestTimeoutMs,
    logFields: { listener: id },
    observe: deps.observe,
    toBody(error) {
      const { status, body } = protocol.toError(error);
      return { status, body: JSON.stringify(body) };
    },
    setHeaders: (_request, reply) => reply.headers(commonHeaders),
    answerError: (error, request, reply) =>
      sendCompatError(errors.explain(error, request), reply, protocol.toError),
    refuseConnections: letIn.connections,
  });
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
