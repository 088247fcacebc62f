import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Browser,
  enterAs,
  enterAsAdministrator,
  goodPassword,
  openBrowser,
} from '../../fixtures/browser.js';
import { startTestService, type TestService } from '../../fixtures/test-service.js';

const dayMs = 86_400_000;
let nowMs = Date.now();
let service: TestService;
let admin: Browser;
beforeAll(async () => {
  service = await startTestService({ clock: () => nowMs });
  admin = await enterAsAdministrator(service);
});
afterAll(() => service.stop());

const signIn = (email: string, password = goodPassword, code?: string, browser = openBrowser(service)) =>
  browser
    .call('/api/session', { method: 'POST', body: { email, password, ...(code ? { code } : {}) } })
    .then((answer) => ({ ...answer, browser }));

describe('the first link', () => {
  test('makes the administrator, who owns the first account, and is good once', async () => {
    const { json } = await admin.call('/api/session');
    expect(json).toMatchObject({
      user: { email: 'root@example.com', role: 'owner', is_administrator: true, has_totp: false },
      account: { id: service.accountId, name: 'first', plan: 'paid' },
      csrf_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    });
    expect(await service.users.makeLinks.first()).toBeNull();
    const { json: state } = await openBrowser(service).call('/api/sign-in');
    expect(state).toEqual({ open_sign_up: false, has_users: true });
  });
});

describe('signing in', () => {
  test('gives a session in a cookie that no script reads and no other site sends', async () => {
    const { status, browser, json } = await signIn('Root@Example.COM');
    expect(status).toBe(201);
    expect(browser.jar.setCookie).toMatch(
      /^lynceus_session=[A-Za-z0-9_-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(json.user.name).toBe('Root');
  });

  test('answers what is no mail address, nor a text that is stored, as an address that nobody has', async () => {
    for (const email of ['a\u0000b@example.com', '\ud800@example.com', '\udc00\ud800x', 'nobody']) {
      const { status, json } = await signIn(email);
      expect([email, status, json.code]).toEqual([email, 401, 'wrong_sign_in']);
    }
  });

  test('always makes another session, and the one that was there ends', async () => {
    const first = await signIn('root@example.com');
    const before = first.browser.jar.cookie;
    const again = await signIn('root@example.com', goodPassword, undefined, first.browser);
    expect(again.status).toBe(201);
    expect(again.browser.jar.cookie).not.toBe(before);
    const old = openBrowser(service);
    old.jar.cookie = before;
    expect((await old.call('/api/session')).json.code).toBe('not_signed_in');
  });

  test('never takes a session that the browser brings', async () => {
    const browser = openBrowser(service);
    browser.jar.cookie = `lynceus_session=${'A'.repeat(43)}`;
    await signIn('root@example.com', goodPassword, undefined, browser);
    expect(browser.jar.cookie).not.toContain('AAAAAAAA');
  });

  test('answers alike for a wrong password and for an address that nobody has', async () => {
    const wrong = await signIn('root@example.com', 'not this one');
    const nobody = await signIn('nobody@example.com', 'not this one');
    const refusal = ({ status, json }: typeof wrong) => [status, json.code, json.detail];
    expect(refusal(wrong)).toEqual([401, 'wrong_sign_in', expect.any(String)]);
    expect(refusal(nobody)).toEqual(refusal(wrong));
    expect(wrong.browser.jar.setCookie).toBe('');
  });

  test('is over when signed out, and the cookie is taken back', async () => {
    const { browser } = await signIn('root@example.com');
    const { cookie } = browser.jar;
    expect((await browser.call('/api/session', { method: 'DELETE' })).status).toBe(204);
    expect(browser.jar.setCookie).toMatch(/^lynceus_session=; .*Expires=Thu, 01 Jan 1970/);
    browser.jar.cookie = cookie;
    for (const path of ['/api/session', '/api/keys', '/api/account']) {
      const { status, json } = await browser.call(path);
      expect([path, status, json.code]).toEqual([path, 401, 'not_signed_in']);
    }
  });

  test('ends everywhere at once when asked to', async () => {
    await enterAs(service, service.accountId, 'member', 'everywhere@example.com');
    const here = await signIn('everywhere@example.com');
    const there = await signIn('everywhere@example.com');
    const { json } = await here.browser.call('/api/sessions');
    expect(json.data).toHaveLength(3);
    expect(json.data.filter((each: { is_current: boolean }) => each.is_current)).toHaveLength(1);
    expect(JSON.stringify(json)).not.toContain(here.browser.jar.cookie.split('=')[1]);
    expect((await here.browser.call('/api/sessions', { method: 'DELETE' })).status).toBe(204);
    expect((await there.browser.call('/api/session')).json.code).toBe('not_signed_in');
  });

  test('ends one session elsewhere, and no user ends another’s', async () => {
    const here = await signIn('everywhere@example.com');
    const there = await signIn('everywhere@example.com');
    const { json } = await there.browser.call('/api/sessions');
    const id = json.data.find((each: { is_current: boolean }) => each.is_current).id;
    expect((await admin.call(`/api/sessions/${id}`, { method: 'DELETE' })).status).toBe(404);
    expect((await here.browser.call(`/api/sessions/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await there.browser.call('/api/session')).status).toBe(401);
  });
});

describe('a session', () => {
  test('lasts while it is used, and two weeks when it is not', async () => {
    const { browser } = await signIn('root@example.com');
    nowMs += 10 * dayMs;
    expect((await browser.call('/api/session')).status).toBe(200);
    nowMs += 10 * dayMs;
    expect((await browser.call('/api/session')).status).toBe(200);
    nowMs += 14 * dayMs;
    expect((await browser.call('/api/session')).status).toBe(401);
  });

  test('ends after ninety days however much it is used', async () => {
    const { browser } = await signIn('root@example.com');
    for (let day = 0; day < 88; day += 11) {
      nowMs += 11 * dayMs;
      expect((await browser.call('/api/session')).status).toBe(200);
    }
    nowMs += 3 * dayMs;
    expect((await browser.call('/api/session')).status).toBe(401);
    admin = (await signIn('root@example.com')).browser;
  });

  test('gives its pages a key for the predict paths and nothing else, which ends with it', async () => {
    const { browser } = await signIn('root@example.com');
    const { status, json } = await browser.call('/api/session/key', { method: 'POST' });
    expect(status).toBe(201);
    const asks = (path: string) =>
      openBrowser(service).call(path, { method: 'GET', headers: { 'x-api-key': json.key } });
    expect((await asks('/predict/image')).json.error.code).toBe('no_file');
    expect((await asks('/api/account')).json.code).toBe('invalid_api_key');
    expect((await browser.call('/api/keys')).text).not.toContain('web account');
    await browser.call('/api/session', { method: 'DELETE' });
    expect((await asks('/predict/image')).json.error.code).toBe('invalid_api_key');
  });

  test('a page’s key is over after an hour', async () => {
    const { browser } = await signIn('root@example.com');
    const { json } = await browser.call('/api/session/key', { method: 'POST' });
    nowMs += 3_600_000;
    const { json: refusal } = await openBrowser(service).call('/predict/image', {
      headers: { 'x-api-key': json.key },
    });
    expect(refusal.error.code).toBe('invalid_api_key');
  });
});
