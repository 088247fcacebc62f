import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, enterAs, enterAsAdministrator, openBrowser } from '../fixtures/browser.js';
import { startTestService, type TestService } from '../fixtures/test-service.js';
import { auditedOperations } from './audit/audited-operations.js';
import { callApi } from './fixtures/call-api.js';
import { operationsByRight, rightsOf } from './fixtures/rights.js';

let service: TestService;
let administrator: Browser;
const browsers = new Map<string, Browser>();
let operations: { readonly method: string; readonly path: string; readonly id: string }[];
beforeAll(async () => {
  service = await startTestService();
  administrator = await enterAsAdministrator(service);
  for (const role of ['owner', 'member', 'reader'] as const) {
    browsers.set(role, await enterAs(service, service.accountId, role, `${role}@example.com`));
  }
  const { json } = await openBrowser(service).call('/docs/openapi.json');
  operations = Object.entries<Record<string, { operationId: string; security?: unknown[] }>>(json.paths)
    .filter(([path]) => path.startsWith('/api/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { security }]) => security === undefined)
        .map(([method, { operationId: id }]) => ({
          method: method.toUpperCase(),
          id,
          // Of nothing that there is: what is allowed then fails in another way.
          path: path.replace(/\{(\w*id|number)\}/g, '999999').replace(/\{\w+\}/g, '0'.repeat(32)),
        })),
    );
});
afterAll(() => service.stop());

describe('who may do what', () => {
  test('knows every route, once', () => {
    const permitted = Object.values(operationsByRight).flat();
    expect([...permitted].sort()).toEqual(operations.map(({ id }) => id).sort());
  });

  test.each(Object.entries(rightsOf))('%s: on every route', async (role, rights) => {
    const allowed = rights.flatMap((right) => operationsByRight[right]);
    const asked = operations.filter(
      // These would end what is asked with, or do not end themselves; exports are read like all else.
      ({ id }) => !['signOut', 'endSessions', 'followJob', 'followAccount'].includes(id),
    );
    expect(asked.length).toBeGreaterThan(100);
    for (const { method, path, id } of asked) {
      const browser = role === 'administrator' ? administrator : browsers.get(role);
      const { status, json } = browser
        ? await browser.call(path, { method: method as 'GET' })
        : await callApi(service, path, { method: method as 'GET' }).catch(() => ({
            status: 200,
            json: null,
          }));
      const isRefused = status === 403 && json.code === 'not_allowed';
      expect([id, isRefused]).toEqual([id, !allowed.includes(id)]);
    }
  });

  test('the pages of a reader get no key', async () => {
    const answer = await browsers.get('reader')?.call('/api/session/key', { method: 'POST' });
    expect(answer?.json.code).toBe('not_allowed');
  });

  test('every operation that changes something says what the audit log calls it', () => {
    const changing = operations.filter(({ method }) => method !== 'GET').map(({ id }) => id);
    expect(changing.filter((id) => !Object.hasOwn(auditedOperations, id))).toEqual([]);
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
