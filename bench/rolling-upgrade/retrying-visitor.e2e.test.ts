import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { createExperience, createRetryingVisitor } from './retrying-visitor.js';

/** What a service does with one request after the other. */
async function visitorOf(...answers: readonly ((response: ServerResponse) => void)[]) {
  const left = [...answers];
  const server = createServer((_request, response) => left.shift()?.(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const experience = createExperience();
  const uncertain: string[] = [];
  const visitor = createRetryingVisitor(url, experience, ({ path }) => uncertain.push(path));
  const { outcome } = await visitor.ask({ method: 'DELETE', path: '/api/files/a' });
  await visitor.close();
  server.close();
  return { outcome, experience, uncertain };
}

const answer =
  (status: number, code: string, headers = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status, { 'x-request-id': 'r', ...headers }).end(JSON.stringify({ code }));
const breakOff = (response: ServerResponse) => response.destroy();

test('what is refused for a while is sent again, and is no error', async () => {
  const busy = answer(503, 'service_busy', { 'retry-after': '0' });
  const { outcome, experience, uncertain } = await visitorOf(busy, answer(200, ''));
  expect(outcome).toBe('200');
  expect([...experience.repeated]).toEqual([['503 service_busy', 1]]);
  expect(experience.errors).toEqual([]);
  expect(uncertain).toEqual([]);
});

test('what is answered as a fault of the service is an error', async () => {
  const { experience } = await visitorOf(answer(500, 'internal_error'));
  expect(experience.errors).toEqual(['DELETE /api/files/a was answered 500 internal_error']);
});

test('what broke off and is not there at the next attempt has an outcome that the client does not know', async () => {
  const { outcome, experience, uncertain } = await visitorOf(breakOff, answer(404, 'not_found'));
  expect(outcome).toBe('failed: 404 not_found');
  expect(uncertain).toEqual(['/api/files/a']);
  expect(experience.errors).toEqual([]);
});
