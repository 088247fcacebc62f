import { Type } from 'typebox';
import { jsonContent } from '../compat/operation.js';

export const Readiness = Type.Object({
  ready: Type.Boolean(),
  parts: Type.Array(
    Type.Object({
      name: Type.String(),
      ready: Type.Boolean(),
      reason: Type.Optional(Type.String()),
      warning: Type.Optional(Type.String({ description: 'what an operator has to know although it works' })),
    }),
  ),
});

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
          content: jsonContent(Type.Object({ status: Type.Literal('ok') }), { status: 'ok' }),
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
        200: readiness('It can work', { ready: true, parts: [{ name: 'database', ready: true }] }),
        503: readiness('Something is missing', {
          ready: false,
          parts: [{ name: 'inference', ready: false, reason: 'starting' }],
        }),
      },
    },
  },
};
