import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Lifecycle } from '../core/lifecycle.js';
import { jsonContent } from './common/operation.js';

export type Health = Pick<Lifecycle, 'readiness'>;

/**
 * `/livez` answers while the event loop turns. `/readyz` answers 503 and names what is missing until all is ready and from the stop on;
 * a component that is degraded leaves it at 200.
 */
export function addHealthRoutes(app: FastifyInstance, health: Health): void {
  const config = { isHealthCheck: true };
  app.get('/livez', { config }, () => ({ status: 'ok' }));
  app.get('/readyz', { config }, (_request, reply) => {
    const readiness = health.readiness();
    return reply.code(readiness.ready ? 200 : 503).send(readiness);
  });
}

const Liveness = Type.Object({ status: Type.Literal('ok') }, { title: 'Liveness' });
export const Readiness = Type.Object(
  {
    ready: Type.Boolean(),
    status: Type.Optional(Type.Literal('degraded', { description: 'ready, while a component is degraded' })),
    components: Type.Array(
      Type.Object({
        name: Type.String(),
        ready: Type.Boolean(),
        status: Type.Optional(
          Type.Literal('degraded', {
            description: 'ready, although something is missing for now: reason says what',
          }),
        ),
        reason: Type.Optional(Type.String({ description: 'what is missing' })),
        notices: Type.Optional(
          Type.Array(Type.String(), { description: 'what an operator should look at, though it is ready' }),
        ),
      }),
    ),
  },
  { title: 'Readiness', description: 'Whether the service can work, and what is missing' },
);

const readiness = (description: string, example: unknown) => ({
  description,
  content: jsonContent(Readiness, example),
});

/** The questions after the service's health, for the OpenAPI document; they need no key. */
export const healthOperations = {
  '/livez': {
    get: {
      tags: ['health'],
      operationId: 'isAlive',
      summary: 'Answers while the service runs',
      security: [],
      responses: {
        200: {
          description: 'It runs',
          content: jsonContent(Liveness, { status: 'ok' }),
        },
      },
    },
  },
  '/readyz': {
    get: {
      tags: ['health'],
      operationId: 'isReady',
      summary: 'Whether the service can work, and what is missing',
      security: [],
      responses: {
        200: readiness('It can work', { ready: true, components: [{ name: 'database', ready: true }] }),
        503: readiness('Something is missing', {
          ready: false,
          components: [{ name: 'inference', ready: false, reason: 'starting' }],
        }),
      },
    },
  },
};
