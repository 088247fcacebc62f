import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '#server/http/fixtures/test-service.js';

/** A value of every type of JSON, written as JSON, and those at which readers and databases go wrong. */
const values = [
  'true',
  'false',
  'null',
  '0',
  '-0',
  '-1',
  '0.5',
  '1e999',
  '-1e999',
  '1e-400',
  '9007199254740993',
  '123456789012345678901234567890',
  '""',
  '" "',
  '"text"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\uffff\\ufdd0"',
  `"${'x'.repeat(40_000)}"`,
  '"true"',
  '"1"',
  '[]',
  '[true]',
  '[[], {}]',
  '{}',
  '{"__proto__": {"polluted": true}}',
  '{"constructor": {"prototype": {"polluted": true}}}',
  '{"toString": 1, "length": -1}',
  `${'['.repeat(1000)}${']'.repeat(1000)}`,
  `${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`,
];

/** The same in a query: half a surrogate pair in the only way it can be written there. */
const texts = [
  'true',
  'false',
  'null',
  'undefined',
  '0',
  '-0',
  '-1',
  '0.5',
  '1e999',
  'NaN',
  'Infinity',
  '9007199254740993',
  '',
  '%20',
  'a%00b',
  '%ED%A0%80',
  '%FF',
  '[]',
  '{}',
  '[true]',
  'x'.repeat(3000),
  "'%20or%201=1--",
  '__proto__',
];

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

async function send(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: string) {
  const answer = await request(`${service.base}${path}`, {
    method,
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    body: body ?? null,
  });
  const answerText = await answer.body.text();
  expect(answer.statusCode, `${method} ${path} ${body?.slice(0, 200)}: ${answerText}`).toBeLessThan(500);
  return answer.statusCode;
}

/** Reads and writes the database after all that was sent. */
async function expectAlive() {
  expect(await send('PATCH', `/api/keys/${service.keyId}`, '{"name": "test"}')).toBe(200);
  expect(await send('POST', '/predict', '{"base64str": "/9j/4AAQ"}')).toBe(200);
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
}

describe('a value of any type does no harm', () => {
  test.each([
    'base64str',
    'image_file_url',
    'model_id',
    'conf_thresh',
    'nms_thresh',
    'apikey',
    '__proto__',
    'x',
  ])('in the field %s of v2', async (field) => {
    for (const value of values) {
      const image = field === 'base64str' ? '' : '"base64str": "/9j/4AAQ", ';
      await send('PUT', '/predict', `{${image}"${field}": ${value}}`);
    }
    await expectAlive();
  });

  test.each(['name', 'expires_at', '__proto__', 'x'])(
    'in the field %s of a new or changed key',
    async (field) => {
      for (const value of values) {
        const name = field === 'name' ? '' : '"name": "n", ';
        const made = await request(`${service.base}/api/keys`, {
          method: 'POST',
          headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
          body: `{${name}"${field}": ${value}}`,
        });
        const answerText = await made.body.text();
        expect(made.statusCode, answerText).toBeLessThan(500);
        // The keys that an account may have must not run out on the way.
        if (made.statusCode === 201) await send('DELETE', `/api/keys/${JSON.parse(answerText).id}`);
        await send('PATCH', `/api/keys/${service.keyId}`, `{"${field}": ${value}}`);
      }
      await expectAlive();
    },
  );

  test('as a whole body', async () => {
    for (const value of values) {
      await send('PUT', '/predict', value);
      await send('POST', '/api/keys', value);
      await send('PATCH', `/api/keys/${service.keyId}`, value);
      await send('POST', '/predict/image', value);
    }
    await expectAlive();
  });

  const v1 = [
    'model_id',
    'predicttype',
    'parts',
    'url',
    'conf_thresh',
    'nms_thresh',
    'command',
    'person_id_filter',
  ];
  const named = ['person_name', 'key_id', 'apikey', '__proto__', 'model_id[]', 'model_id[a]'];
  test.each(['/predict/image', '/predict/object_detection/', '/predict/face', '/predict'])(
    'in any parameter of %s',
    async (path) => {
      for (const name of [...v1, ...named]) {
        await Promise.all(texts.map((text) => send('POST', `${path}?${name}=${text}&${name}=${text}`)));
      }
      await expectAlive();
    },
  );

  test.each(['/api/files', '/api/keys', '/api/usage', '/api/account'])(
    'in any parameter of %s',
    async (path) => {
      const names = ['limit', 'cursor', 'from', 'to', 'operation', 'key_id', 'force', 'api_key', '__proto__'];
      for (const name of names) {
        await Promise.all(texts.map((text) => send('GET', `${path}?${name}=${text}`)));
      }
      for (const text of texts) {
        const id = encodeURIComponent(decodeLoosely(text));
        await send('GET', `/api/files/${id}`);
        await send('DELETE', `/api/files/${id}`);
        await send('DELETE', `/api/keys/${id}?force=${text}`);
        await send('PATCH', `/api/keys/${id}`, '{"name": "test"}');
      }
      await expectAlive();
    },
  );
});

function decodeLoosely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
