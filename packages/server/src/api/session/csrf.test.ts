import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, enterAs, openBrowser } from '../../http/fixtures/browser.js';
import { startTestService, type TestService } from '../../http/fixtures/test-service.js';

interface Route {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly id: string;
}

/** That let somebody in who is not signed in: a page of another origin is refused there too, and there is no token yet. */
const open = ['signIn', 'signUp', 'useLink', 'lookAtLink', 'checkPassword'];

let service: TestService;
let owner: Browser;
let routes: Route[];
beforeAll(async () => {
  service = await startTestService();
  owner = await enterAs(service, service.accountId, 'owner', 'owner@example.com');
  const { json } = await openBrowser(service).call('/docs/openapi.json');
  routes = Object.entries<Record<string, { operationId: string }>>(json.paths).flatMap(([path, methods]) =>
    path.startsWith('/api/')
      ? Object.entries(methods)
          .filter(([method]) => method !== 'get')
          .map(([method, { operationId: id }]) => ({
            method: method.toUpperCase() as Route['method'],
            path: path.replace(/\{\w+\}/g, '1'),
            id,
          }))
      : [],
  );
});
afterAll(() => service.stop());

/** Everything that a row can tell, but for when sessions were used. */
async function everything(): Promise<string> {
  const { query } = service.database;
  const tables = [
    'account',
    'api_key',
    'web_user',
    'web_link',
    'web_page_key',
    'audit_entry',
    'job',
  ] as const;
  const rows = await Promise.all(tables.map((table) => query.selectFrom(table).selectAll().execute()));
  const sessions = await query.selectFrom('web_session').select(['id', 'user_id', 'hash']).execute();
  return JSON.stringify([...rows, sessions]);
}

const refused: Readonly<Record<string, Record<string, string | undefined>>> = {
  'without the token': { 'x-csrf-token': undefined },
  'with a token of nobody': { 'x-csrf-token': 'A'.repeat(43) },
  'from another site': { 'sec-fetch-site': 'cross-site' },
  'from another host of this site': { 'sec-fetch-site': 'same-site' },
  'from another origin, told the old way': { 'sec-fetch-site': undefined, origin: 'https://far.example' },
  'from a page without an origin': { 'sec-fetch-site': undefined, origin: 'null' },
};

describe('a change by a session', () => {
  test('is what is tested here, on every route there is', () => {
    expect(routes.length).toBeGreaterThan(70);
  });

  test.each(Object.entries(refused))(
    '%s is refused on every route and changes nothing',
    async (name, headers) => {
      const before = await everything();
      const isOfOrigin = !name.includes('token');
      for (const { method, path, id } of routes) {
        if (open.includes(id) && !isOfOrigin) continue;
        const { status, json } = await owner.call(path, { method, headers });
        expect([id, status, json?.code]).toEqual([id, 403, 'csrf']);
      }
      expect(await everything()).toBe(before);
    },
  );

  test("with somebody else's token is refused", async () => {
    const other = await enterAs(service, service.accountId, 'owner', 'other@example.com');
    const body = { name: 'made' };
    const headers = { 'x-csrf-token': other.jar.csrf };
    expect((await owner.call('/api/keys', { method: 'POST', body, headers })).json.code).toBe('csrf');
    expect((await owner.call('/api/keys', { method: 'POST', body })).status).toBe(201);
  });

  test('is taken from our own page, told the old way', async () => {
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
