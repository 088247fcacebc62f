import Fastify, { type FastifyInstance } from 'fastify';
import type { Settings } from '../core/settings.js';
import { addHealthRoutes, type Health } from './health.js';

/** A balancer or an orchestrator asks on few. */
const maxConnections = 100;
const requestTimeoutMs = 10_000;

/** What a service without the role `http` serves at its port: how it is, for whoever asks without a key. */
export async function buildHealthApp({
  settings,
  health,
}: {
  readonly settings: Pick<Settings, 'pathPrefix' | 'roles'>;
  readonly health: Health;
}): Promise<FastifyInstance> {
  const app = Fastify({
    logger: false,
    bodyLimit: 1,
    requestTimeout: requestTimeoutMs,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    http: { headersTimeout: requestTimeoutMs, requireHostHeader: false },
    routerOptions: { ignoreTrailingSlash: true },
  });
  app.server.maxConnections = maxConnections;
  app.setNotFoundHandler((_request, reply) =>
    reply
      .code(404)
      .type('text/plain; charset=utf-8')
      .send(`Here are /livez and /readyz alone: the roles of this service are ${settings.roles}.\n`),
  );
  await app.register(async (scope) => addHealthRoutes(scope, health), { prefix: settings.pathPrefix });
  return app;
}
