import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify from 'fastify';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { compileCheck } from './check-request.js';
import { exactly } from './fields.js';
import { completeRoutes } from './route-defaults.js';

const Made = Type.Object({ id: Type.Integer() });

function open() {
  const app = Fastify().withTypeProvider<TypeBoxTypeProvider>();
  app.setValidatorCompiler(compileCheck);
  completeRoutes(app);
  app.post('/things', {
    schema: { body: exactly({ id: Type.Integer() }), response: { 201: Made } },
    async handler(request) {
      if (request.body.id === 0) throw Object.assign(new Error('no such thing'), { statusCode: 404 });
      return request.body;
    },
  });
  app.delete('/things', {
    schema: { response: { 204: Type.Null() } },
    async handler() {},
  });
  app.put('/things', {
    schema: { response: { 200: Made, 202: Made } },
    async handler(_request, reply) {
      return reply.code(202).send({ id: 1 });
    },
  });
  return app;
}

test('a route answers with the only good status of its schema', async () => {
  const app = open();
  const made = await app.inject({ method: 'POST', url: '/things', body: { id: 7 } });
  expect([made.statusCode, made.json()]).toEqual([201, { id: 7 }]);
  const deleted = await app.inject({ method: 'DELETE', url: '/things' });
  expect([deleted.statusCode, deleted.body]).toEqual([204, '']);
});

test('a route with several good statuses sends its own', async () => {
  const { statusCode } = await open().inject({ method: 'PUT', url: '/things' });
  expect(statusCode).toBe(202);
});

test('an error keeps its status', async () => {
  const { statusCode } = await open().inject({ method: 'POST', url: '/things', body: { id: 0 } });
  expect(statusCode).toBe(404);
});

test('a route without a query in its schema refuses parameters', async () => {
  const { statusCode } = await open().inject({ method: 'DELETE', url: '/things?force=true' });
  expect(statusCode).toBe(400);
});
