import fc from 'fast-check';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../fixtures/test-service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    '1',
    '-1',
    '1e9',
    'true',
    'null',
    '9999-12-31',
    '0001-01-01T00:00:00+23:59',
    'WzEsIjAiXQ',
    'NaN',
  ),
  fc.json().map((json) => Buffer.from(json).toString('base64url')),
);
const asked = fc.record({
  path: fc.constantFrom('/files', '/keys', '/keys/77', '/usage', '/account', `/files/${'a'.repeat(32)}`, '/'),
  method: fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'PUT'),
  query: fc.array(
    fc.tuple(
      fc.constantFrom('limit', 'cursor', 'from', 'to', 'operation', 'key_id', 'force', '__proto__', 'x'),
      text,
    ),
    { maxLength: 3 },
  ),
  body: fc.oneof(
    fc.json(),
    fc.record({ name: fc.jsonValue(), expires_at: fc.jsonValue() }).map((body) => JSON.stringify(body)),
    fc
      .record({ name: fc.string(), expires_at: fc.oneof(text, fc.constant(null)) })
      .map((body) => JSON.stringify(body)),
  ),
  type: fc.constantFrom('application/json', 'application/json; charset=latin1', 'text/plain', ';;'),
});

test('whatever is asked is answered, and refused as a problem and never as a fault of ours', async () => {
  await fc.assert(
    fc.asyncProperty(asked, async ({ path, method, query, body, type }) => {
      const answer = await request(`${service.base}/api${path}?${new URLSearchParams(query)}`, {
        method,
        headers: { authorization: `Bearer ${service.key}`, 'content-type': type },
        body: method === 'GET' ? null : body,
      });
      const answerText = await answer.body.text();
      expect(answer.statusCode, answerText).toBeLessThan(500);
      if (answer.statusCode < 400) return;
      expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
      expect(JSON.parse(answerText).status).toBe(answer.statusCode);
    }),
    { numRuns: 600 },
  );
});

test.each([
  ['equal items', JSON.stringify(Array(30_000).fill(0)), /^settings\.parts(\[0\])? must be /],
  [
    'an item that is nested without end',
    `[${'['.repeat(30_000)}${']'.repeat(30_000)}]`,
    /^settings\.parts\[0\] must be one of classes, objects, texts, faces/,
  ],
])('a list of %s is refused at once, for what is wrong with it', async (_what, list, detail) => {
  const startedMs = performance.now();
  const answer = await request(`${service.base}/api/streams`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    body: `{"name": "camera", "source": {"kind": "rtsp", "address": "rtsp://127.0.0.1/"}, "settings": {"parts": ${list}}}`,
  });
  expect(await answer.body.json()).toMatchObject({
    ...{ status: 400, code: 'wrong_parameters' },
    detail: expect.stringMatching(detail),
  });
  // Without a limit on what is compared it is a minute.
  expect(performance.now() - startedMs).toBeLessThan(5000);
});
