import { fileURLToPath } from 'node:url';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AddedRoute } from '../fixtures/added-routes.js';
import { type Browser, enterAs, enterAsAdministrator, openBrowser } from '../fixtures/browser.js';
import { isOfOtherService } from '../fixtures/other-services.js';
import { startTestService, type TestService } from '../fixtures/test-service.js';
import { requireAudit } from './audit/write-audit.js';
import { callApi } from './fixtures/call-api.js';
import { rightsByRole } from './fixtures/rights.js';
import { requireRights } from './permit.js';

const rightsPagePath = fileURLToPath(new URL('../../../../../docs/rights.md', import.meta.url));

let service: TestService;
let administrator: Browser;
const browsers = new Map<string, Browser>();
/** Routes of /api, as the router got them. */
let routes: readonly AddedRoute[];
beforeAll(async () => {
  service = await startTestService();
  administrator = await enterAsAdministrator(service);
  for (const role of ['owner', 'member', 'reader'] as const) {
    browsers.set(role, await enterAs(service, service.accountId, role, `${role}@example.com`));
  }
  routes = service.routes.filter(
    ({ method, path }) =>
      path.startsWith('/api/') && !isOfOtherService(path) && method !== 'HEAD' && method !== 'OPTIONS',
  );
});
afterAll(() => service.stop());

const operationOf = ({ schema }: AddedRoute) => String(Reflect.get(schema ?? {}, 'operationId'));

/** What an owner of the account reads of a route in the audit log. */
function auditOf({ method, config: { audit } }: AddedRoute): readonly [action: string, subject: string] {
  if (audit === undefined || audit === null) return [method === 'GET' ? '' : 'changes nothing', ''];
  return audit === 'itself' ? ['written with the change', ''] : audit;
}

describe('who may do what', () => {
  test('stands in a table, so that each change of a right is seen', async () => {
    const rows = routes.map((route) => {
      const cells = [
        route.config.right,
        `${route.method} ${route.path}`,
        operationOf(route),
        ...auditOf(route),
      ];
      return `| ${cells.join(' | ')} |`;
    });
    const head = '# Who may do what below /api';
    const about =
      'Written by `npm run generate -- api` from the routes. What a right is, and what each role may: [accounts](accounts.md).';
    const columns =
      '| Right | Route | Operation | In the audit log | Subject |\n| --- | --- | --- | --- | --- |';
    const table = [head, about, [columns, ...rows.sort()].join('\n')].join('\n\n');
    await expect(`${table}\n`).toMatchFileSnapshot(rightsPagePath);
  });

  test.each(Object.entries(rightsByRole))('%s: on every route', async (role, rights) => {
    const asked = routes.filter(
      // These would end what is asked with, or do not end themselves; exports are read like all else.
      (route) =>
        route.config.right !== 'open' &&
        !['signOut', 'endSessions', 'followJob', 'followAccount'].includes(operationOf(route)),
    );
    expect(asked.length).toBeGreaterThan(100);
    for (const { method, path: pattern, config } of asked) {
      // Of nothing that there is: what is allowed then fails in another way.
      const path = pattern.replace(/:(\w*id|number)\b/g, '999999').replace(/:\w+/g, '0'.repeat(32));
      const browser = role === 'administrator' ? administrator : browsers.get(role);
      const given = { method: method as 'GET' };
      const { status, json } = browser
        ? await browser.call(path, given)
        : await callApi(service, path, given).catch(() => ({ status: 200, json: null }));
      const isRefused = status === 403 && json.code === 'not_allowed';
      const isAllowed = rights.some((right) => right === config.right);
      expect([method, pattern, isRefused]).toEqual([method, pattern, !isAllowed]);
    }
  });

  test.each([
    ['right', {}],
    ['audit', { right: 'change' as const }],
  ])('a route that changes something and says nothing of its %s is not added', (missing, config) => {
    const scope = Fastify().withTypeProvider<TypeBoxTypeProvider>();
    requireRights(scope);
    requireAudit(scope);
    expect(() => scope.post('/things', { config }, async () => null)).toThrow(
      `POST /things has no ${missing} in its config`,
    );
  });

  test('the pages of a reader get no key', async () => {
    const answer = await browsers.get('reader')?.call('/api/session/key', { method: 'POST' });
    expect(answer?.json.code).toBe('not_allowed');
  });
});

describe('people of an account', () => {
  test('the last owner stays owner and stays', async () => {
    const { accountId } = await service.makeKey('lonely');
    const owner = await enterAs(service, accountId, 'owner', 'lonely@example.com');
    const { json } = await owner.call('/api/session');
    const path = `/api/members/${json.user.id}`;
    const demoted = await owner.call(path, { method: 'PATCH', body: { role: 'member' } });
    expect([demoted.status, demoted.json.code]).toEqual([409, 'conflict']);
    expect((await owner.call(path, { method: 'DELETE' })).status).toBe(409);
    expect((await owner.call('/api/session')).json.user.role).toBe('owner');
    const { json: log } = await owner.call('/api/audit');
    expect(log.data.map(({ action }: { action: string }) => action)).not.toContain('members.change');
  });

  test('are searched by a part of their name or address, in any spelling, page by page', async () => {
    const { accountId } = await service.makeKey('many');
    const owner = await enterAs(service, accountId, 'owner', 'boss@many.example');
    const named = {
      'anna@many.example': 'Özgür',
      'bert@many.example': '100%_Bert',
      'cleo@x.example': 'Cleo',
    };
    for (const [email, name] of Object.entries(named)) {
      const browser = await enterAs(service, accountId, 'reader', email);
      expect((await browser.call('/api/user', { method: 'PATCH', body: { name } })).status).toBeLessThan(300);
    }
    const find = async (browser: Browser, path: string): Promise<string[]> => {
      const { json } = await browser.call(path);
      return json.data.map(({ email }: { email: string }) => email);
    };
    expect(await find(owner, '/api/members?search=%C3%B6ZG')).toEqual(['anna@many.example']);
    expect(await find(owner, '/api/members?search=%25_')).toEqual(['bert@many.example']);
    expect(await find(owner, '/api/members?search=MANY.example&limit=2')).toHaveLength(2);
    expect(await find(owner, '/api/members?search=member@')).toEqual([]);
    expect(await find(administrator, '/api/admin/users?search=cleo')).toEqual(['cleo@x.example']);
    const refused = await owner.call('/api/members?search=');
    expect([refused.status, refused.json.code]).toEqual([400, 'wrong_parameters']);
  });

  test('of two owners who leave at once one stays', async () => {
    const { accountId } = await service.makeKey('two');
    const owners = [
      await enterAs(service, accountId, 'owner', 'one@two.example'),
      await enterAs(service, accountId, 'owner', 'other@two.example'),
    ];
    const left = await Promise.all(
      owners.map(async (owner) => {
        const { json } = await owner.call('/api/session');
        return owner.call(`/api/members/${json.user.id}`, { method: 'DELETE' });
      }),
    );
    expect(left.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('whoever is taken out is signed out, and their pages make no more calls', async () => {
    const member = await enterAs(service, service.accountId, 'member', 'gone@example.com');
    const { json: key } = await member.call('/api/session/key', { method: 'POST' });
    const { json } = await member.call('/api/session');
    const owner = browsers.get('owner');
    expect((await owner?.call(`/api/members/${json.user.id}`, { method: 'DELETE' }))?.status).toBe(200);
    expect((await member.call('/api/session')).json.code).toBe('not_signed_in');
    const { json: refused } = await openBrowser(service).call('/predict/image', {
      headers: { 'x-api-key': key.key },
    });
    expect(refused.error.code).toBe('invalid_api_key');
  });
});
