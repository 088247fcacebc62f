import type { FastifyInstance } from 'fastify';
import type { Lifecycle } from '../core/lifecycle.js';

export type Health = Pick<Lifecycle, 'readiness'>;

/** `/livez` answers while the event loop turns; `/readyz` answers 503 and names what is missing until all is ready. */
export function addHealthRoutes(app: FastifyInstance, health: Health): void {
  const config = { isHealthCheck: true };
  app.get('/livez', { config }, () => ({ status: 'ok' }));
  app.get('/readyz', { config }, (_request, reply) => {
    const readiness = health.readiness();
    return reply.code(readiness.ready ? 200 : 503).send(readiness);
  });
}
