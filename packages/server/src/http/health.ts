import type { FastifyInstance } from 'fastify';

export interface Health {
  /** Names of the parts that are not ready; empty when the service is. */
  notReady(): readonly string[];
}

/** `/livez` answers while the event loop turns; `/readyz` answers 503 and names what is missing until all is ready. */
export function addHealthRoutes(app: FastifyInstance, health: Health): void {
  app.get('/livez', () => ({ status: 'ok' }));
  app.get('/readyz', (_request, reply) => {
    const missing = health.notReady();
    return missing.length === 0 ? { status: 'ok' } : reply.code(503).send({ status: 'not ready', missing });
  });
}
