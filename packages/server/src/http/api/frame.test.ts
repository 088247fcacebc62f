import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isBehindNginx, startTestService, type TestService } from '../fixtures/test-service.js';
import { callApi } from './fixtures/call-api.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ pathPrefix: '/vision' });
});
afterAll(() => service.stop());

describe('the key', () => {
  test.each([
    ['Authorization: Bearer', (key: string) => ({ path: '', headers: { authorization: `Bearer ${key}` } })],
    ['X-API-Key', (key: string) => ({ path: '', headers: { 'x-api-key': key } })],
    ['api_key in the query', (key: string) => ({ path: `?api_key=${key}`, headers: {} })],
    ['apikey in the query', (key: string) => ({ path: `?apikey=${key}`, headers: {} })],
  ])('is taken as %s', async (_name, placeKey) => {
    const { path, headers } = placeKey(service.key);
    expect((await callApi(service, `/api/account${path}`, { key: null, headers })).status).toBe(200);
  });

  test.each([['missing', null] as const, ['wrong', 'lyn_wrong'] as const])(
    'that is %s is refused as a problem',
    async (_name, key) => {
      const { status, headers, json } = await callApi(service, '/api/account', { key });
      expect(status).toBe(401);
      expect(headers['www-authenticate']).toBe('Bearer');
      expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
      expect(json).toEqual({
        type: 'about:blank',
        title: 'Unauthorized',
        status: 401,
        detail: expect.stringContaining('key'),
        code: 'invalid_api_key',
        request_id: headers['x-request-id'],
      });
    },
  );

  test('is in no log line and in no error', async () => {
    const { json } = await callApi(service, `/api/files?api_key=${service.key}&x=${service.key}`);
    await callApi(service, `/api/${service.key}`);
    expect(json.code).toBe('wrong_parameters');
    expect(JSON.stringify(json)).not.toContain(service.key);
    expect(service.logLines.join('')).not.toContain(service.key);
  });
});

describe('refusals', () => {
  test.each([
    ['an unknown path', '/api/nothing', {}, 404, 'not_found'],
    ['the bare path of the API', '/api', {}, 404, 'not_found'],
    ['an unknown query parameter', '/api/files?page=2', {}, 400, 'wrong_parameters'],
    ['a limit of text', '/api/files?limit=many', {}, 400, 'wrong_parameters'],
    ['a limit given twice', '/api/files?limit=1&limit=2', {}, 400, 'wrong_parameters'],
    ['NUL in a filter', '/api/files?operation=a%00', {}, 400, 'wrong_parameters'],
    // nginx refuses it itself.
    ...(isBehindNginx
      ? []
      : [['a path that is no percent-encoding', '/api/files/%zz', {}, 400, 'bad_request'] as const]),
    ['an id beyond all numbers', '/api/keys/99999999999999999999', { method: 'DELETE' }, 404, 'not_found'],
    ['a body that is no JSON', '/api/keys', { method: 'POST', body: '{' }, 400, 'bad_request'],
    ['an empty body', '/api/keys', { method: 'POST', body: '' }, 400, 'wrong_parameters'],
    ['a body that is a list', '/api/keys', { method: 'POST', body: [] }, 400, 'wrong_parameters'],
    ['a body that is null', '/api/keys', { method: 'POST', body: 'null' }, 400, 'wrong_parameters'],
    ['no body', '/api/keys', { method: 'POST' }, 400, 'wrong_parameters'],
    [
      'a poisoned prototype',
      '/api/keys',
      { method: 'POST', body: '{"name": "a", "__proto__": {"x": 1}}' },
      400,
      'bad_request',
    ],
    ['an unknown field', '/api/keys', { method: 'POST', body: { name: 'a', x: 1 } }, 400, 'wrong_parameters'],
    [
      'another content type',
      '/api/keys',
      { method: 'POST', body: 'name=a', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      400,
      'bad_request',
    ],
    ['a number that is none', '/api/keys?limit=true', {}, 400, 'wrong_parameters'],
    ['an id that is none', '/api/keys/true', { method: 'PATCH', body: { name: 'a' } }, 404, 'not_found'],
    ['a body too large', '/api/keys', { method: 'POST', body: ' '.repeat(70_000) }, 400, 'bad_request'],
  ] as const)('%s is a problem', async (_name, path, call, status, code) => {
    const answer = await callApi(service, path, call);
    expect(answer.json).toMatchObject({ status, code });
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  });

  test('say what to fix', async () => {
    const detailOf = async (path: string, body?: unknown) =>
      (await callApi(service, path, body === undefined ? {} : { method: 'POST', body })).json.detail;
    expect(await detailOf('/api/files?limit=101')).toBe('limit must be an integer from 1 to 100');
    expect(await detailOf('/api/files?from=yesterday')).toMatch(
      /^from must be a moment such as 2026-01-31T12:00:00Z \(from when on\); a \+ .* %2B/,
    );
    expect(await detailOf('/api/files?page=2')).toBe('there is no parameter page');
    expect(await detailOf('/api/keys', {})).toBe('name is missing');
    expect(await detailOf('/api/keys', 'null')).toBe('the body must be a JSON object');
    const run = { dataset_id: 1001, options: { seed: -1 } };
    expect(await detailOf('/api/models/1001/runs', run)).toBe(
      'options.seed must be an integer from 0 to 2147483647',
    );
    expect(await detailOf('/api/models/1001/runs', { ...run, options: 7 })).toBe(
      'options must be an object of none_of_these, second_look, seed and activate',
    );
    expect(await detailOf('/api/usage?from=2026-02-30')).toMatch(
      /^from must be a day such as 2026-01-31, UTC \(the first day\)/,
    );
  });

  test('a wrong method is answered with the methods that there are', async () => {
    const { status, headers, json } = await callApi(service, '/api/keys/1', { method: 'PUT', body: {} });
    expect(status).toBe(405);
    expect(headers['allow']).toBe('DELETE, PATCH');
    expect(json).toMatchObject({ code: 'method_not_allowed', detail: 'this path takes DELETE, PATCH' });
    expect((await callApi(service, '/api/nothing', { method: 'PUT' })).status).toBe(404);
  });
});

test('a call of the API does not count', async () => {
  const before = await service.callsUsed();
  await callApi(service, '/api/account');
  await callApi(service, '/api/keys', { method: 'POST', body: {} });
  expect(await service.callsUsed()).toBe(before);
});

test('no answer is kept by a cache', async () => {
  expect((await callApi(service, '/api/keys')).headers['cache-control']).toBe('no-store');
  expect((await callApi(service, '/api/keys', { key: null })).headers['cache-control']).toBe('no-store');
});

test('a path may end in a slash', async () => {
  expect((await callApi(service, '/api/account/')).status).toBe(200);
});

test.each([
  ['an answer', '/api/account', 'GET'],
  ['an error', '/api/files?x=1', 'GET'],
  ['an unknown path', '/api/nothing', 'GET'],
  ['a question beforehand', '/api/keys', 'OPTIONS'],
] as const)('pages of other origins get no leave: %s', async (_name, path, method) => {
  const { headers } = await callApi(service, path, {
    method,
    headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' },
  });
  expect(headers['access-control-allow-origin']).toBeUndefined();
  expect(headers['access-control-allow-methods']).toBeUndefined();
});

test('pages of other origins may still predict', async () => {
  const answer = await request(`${service.base}/predict`, {
    method: 'OPTIONS',
    headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'PUT' },
  });
  expect(answer.headers['access-control-allow-origin']).toBe('*');
});
