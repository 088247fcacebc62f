import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAllRows } from '../../../storage/fixtures/all-rows.js';
import { withAddedRoutes } from '../../fixtures/added-routes.js';
import { type Browser, enterAs } from '../../fixtures/browser.js';
import { isOfOtherService } from '../../fixtures/other-services.js';
import { startTestService, type TestService } from '../../fixtures/test-service.js';

interface Route {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
}

/** That let a user in who is not signed in: a page of another origin is refused there too, and there is no token yet. */
const open = [
  ...['POST /api/session', 'POST /api/sign-up', 'POST /api/links/use', 'POST /api/links/look'],
  'POST /api/passwords/check',
];
const harmless = ['GET', 'HEAD', 'OPTIONS'];

let service: TestService;
let owner: Browser;
/** All that change something, as the router knows them, but for those that take a key alone. */
let routes: Route[];
beforeAll(async () => {
  service = await startTestService();
  owner = await enterAs(service, service.accountId, 'owner', 'owner@example.com');
  routes = service.routes
    .filter(
      ({ method, path }) =>
        !harmless.includes(method) && !path.startsWith('/predict') && !isOfOtherService(path),
    )
    .map(({ method, path }) => ({ method: method as Route['method'], path }));
});
afterAll(() => service.stop());

const refused: Readonly<Record<string, Record<string, string | undefined>>> = {
  'without the token': { 'x-csrf-token': undefined },
  'with a token of nobody': { 'x-csrf-token': 'A'.repeat(43) },
  'from another site': { 'sec-fetch-site': 'cross-site' },
  'from another host of this site': { 'sec-fetch-site': 'same-site' },
  'from another origin, by the older header': { 'sec-fetch-site': undefined, origin: 'https://far.example' },
  'from a page without an origin': { 'sec-fetch-site': undefined, origin: 'null' },
};

describe('a change by a session', () => {
  test('is what is tested here, on every route there is', () => {
    expect(routes.length).toBeGreaterThan(70);
    const names = routes.map(({ method, path }) => `${method} ${path}`);
    expect(names.filter((name) => !/^[A-Z]+ \/api\//.test(name))).toEqual([]);
    expect(open.filter((name) => !names.includes(name))).toEqual([]);
  });

  test('one that no document describes is found all the same', async () => {
    const { routes: found } = await withAddedRoutes(async () => {
      const app = Fastify();
      app.register(
        async (scope) => {
          scope.post('/quiet', { schema: { hide: true } }, async () => 'changed');
        },
        { prefix: '/api' },
      );
      return app.ready();
    });
    expect(found).toMatchObject([{ method: 'POST', path: '/api/quiet' }]);
  });

  test('is not asked by a session where a key alone opens', async () => {
    for (const { method, path } of service.routes) {
      if (!path.startsWith('/predict') || method === 'OPTIONS' || method === 'HEAD') continue;
      const { status, text } = await owner.call(path, { method: method as Route['method'] });
      expect([path, status]).toEqual([path, 401]);
      expect(text).toMatch(/invalid_api_key/);
    }
  });

  test('is not asked by a session at the paths of other services', async () => {
    const before = await readAllRows(service.database);
    for (const { method, path } of service.routes) {
      // Whoever asks whether somebody is there needs no key.
      if (!isOfOtherService(path) || harmless.includes(method) || path.includes('/status/')) continue;
      const { status, text } = await owner.call(path, { method: method as Route['method'] });
      expect([path, status >= 400 && status < 500, text]).toEqual([
        path,
        true,
        expect.stringMatching(/key/i),
      ]);
    }
    expect(await readAllRows(service.database)).toBe(before);
  });

  test.each(Object.entries(refused))(
    '%s is refused on every route and changes nothing',
    async (name, headers) => {
      const before = await readAllRows(service.database);
      const isOfOrigin = !name.includes('token');
      for (const { method, path } of routes) {
        const name = `${method} ${path}`;
        if (open.includes(name) && !isOfOrigin) continue;
        const { status, json } = await owner.call(path.replace(/:\w+/g, '1'), { method, headers });
        expect([name, status, json?.code]).toEqual([name, 403, 'csrf']);
      }
      expect(await readAllRows(service.database)).toBe(before);
    },
  );

  test("with another user's token is rejected", async () => {
    const other = await enterAs(service, service.accountId, 'owner', 'other@example.com');
    const body = { name: 'made' };
    const headers = { 'x-csrf-token': other.jar.csrf };
    expect((await owner.call('/api/keys', { method: 'POST', body, headers })).json.code).toBe('csrf');
    expect((await owner.call('/api/keys', { method: 'POST', body })).status).toBe(201);
  });

  test('is taken from our own page, by the older header', async () => {
    const headers = { 'sec-fetch-site': undefined, origin: service.base };
    const { status } = await owner.call('/api/keys', { method: 'POST', body: { name: 'a' }, headers });
    expect(status).toBe(201);
  });

  test('a key in the request wins over the cookie and wants no token', async () => {
    const other = await service.makeKey('other');
    const { json } = await owner.call('/api/account', { headers: { 'x-api-key': other.key } });
    expect(json.name).toBe('other');
    const wrong = await owner.call('/api/account', { headers: { 'x-api-key': 'lyn_wrong' } });
    expect(wrong.json.code).toBe('invalid_api_key');
  });

  test('no page of another origin may read what a session reads', async () => {
    const { headers } = await owner.call('/api/session', { headers: { origin: 'https://far.example' } });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });
});
