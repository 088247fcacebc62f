import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashToken } from '../../../accounts/users/sessions/token.js';
import { type Browser, enterAs, goodPassword, openBrowser } from '../../fixtures/browser.js';
import { startTestService, type TestService } from '../../fixtures/test-service.js';

const email = 'ada@example.com';
const byTls = { 'x-forwarded-proto': 'https' };
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ trustedProxies: '127.0.0.1' });
  await enterAs(service, service.accountId, 'member', email);
});
afterAll(() => service.stop());

const signIn = async (headers: Record<string, string>, browser = openBrowser(service)) => {
  const body = { email, password: goodPassword };
  const answer = await browser.call('/api/session', { method: 'POST', body, headers });
  expect(answer.status).toBe(201);
  return { browser, set: [answer.headers['set-cookie'] ?? []].flat() };
};
const tokenOf = (browser: Browser) => browser.jar.cookie.split('=')[1] ?? '';
/** As one that began before cookies had the prefix. */
const makeOld = (token: string) =>
  service.database.write([
    service.database.query
      .updateTable('web_session')
      .set({ allows_plain_cookie: 1 })
      .where('hash', '=', hashToken(token)),
  ]);

describe('the cookies of a service behind TLS without a path prefix', () => {
  test('have the prefix __Host-, with what it wants', async () => {
    const { set } = await signIn(byTls);
    expect(set).toEqual([
      expect.stringMatching(
        /^__Host-lynceus_session=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
      expect.stringMatching(
        /^__Host-lynceus_device=[\w.-]+; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      ),
    ]);
  });

  test('let nobody plant a session under the plain name', async () => {
    const { browser } = await signIn({});
    const planted = openBrowser(service);
    planted.jar.cookie = `lynceus_session=${tokenOf(browser)}`;
    expect((await planted.call('/api/session', { headers: byTls })).status).toBe(401);
    // By plain HTTP it is the name in force.
    expect((await planted.call('/api/session')).status).toBe(200);
    const { browser: own } = await signIn(byTls);
    own.jar.cookie = `lynceus_session=${tokenOf(browser)}; ${own.jar.cookie}`;
    expect((await own.call('/api/session', { headers: byTls })).status).toBe(200);
  });

  test('replace one of the old name, whose session stays', async () => {
    const { browser } = await signIn({});
    const token = tokenOf(browser);
    await makeOld(token);
    expect((await browser.call('/api/account', { headers: byTls })).status).toBe(200);
    const { status, headers } = await browser.call('/api/session', { headers: byTls });
    const set = [headers['set-cookie'] ?? []].flat();
    expect([status, set.length]).toEqual([200, 3]);
    expect(set[0]).toContain(`__Host-lynceus_session=${token}; `);
    expect(set[1]).toMatch(/^lynceus_session=; .*Expires=Thu, 01 Jan 1970/);
    expect(set[2]).toMatch(/^__Host-lynceus_device=[\w.-]+; /);
    expect(browser.jar.cookie).toBe(`__Host-lynceus_session=${token}`);
    expect(
      (await browser.call('/api/user', { method: 'PATCH', body: { name: 'A' }, headers: byTls })).status,
    ).toBe(200);
  });

  test('are both taken back by signing out, and what the browser is known by stays', async () => {
    for (const [method, path] of [
      ['DELETE', '/api/session'],
      ['DELETE', '/api/sessions'],
    ] as const) {
      const { browser } = await signIn(byTls);
      const { status, headers } = await browser.call(path, { method, headers: byTls });
      expect(status).toBe(204);
      const names = [headers['set-cookie'] ?? []].flat().map((each) => each.split('=; ')[0]);
      expect(names.sort()).toEqual(['__Host-lynceus_session', 'lynceus_session']);
    }
  });

  test('signing in ends the session of the old name too', async () => {
    const { browser } = await signIn({});
    const old = tokenOf(browser);
    await makeOld(old);
    const { set } = await signIn(byTls, browser);
    expect(set.map((each) => each.split('=')[0])).toEqual([
      ...['__Host-lynceus_session', 'lynceus_session', '__Host-lynceus_device'],
    ]);
    const guest = openBrowser(service);
    guest.jar.cookie = `lynceus_session=${old}`;
    expect((await guest.call('/api/session')).status).toBe(401);
  });
});

describe('a browser that was signed in before browsers were known', () => {
  const setBy = ({ headers }: { readonly headers: object }) =>
    [Reflect.get(headers, 'set-cookie') ?? []].flat() as string[];
  const isKnown = async (device: string) => {
    const owner = await service.users.devices.readOwner(await userId());
    return owner !== null && service.users.devices.recognize(device.split('=')[1], owner) !== null;
  };
  const userId = async () =>
    (
      await service.database.query
        .selectFrom('web_user')
        .select('id')
        .where('email', '=', email)
        .executeTakeFirstOrThrow()
    ).id;

  test.each([
    ['by TLS', byTls, '__Host-lynceus_device'],
    ['without', {}, 'lynceus_device'],
  ])('becomes a known device when the page reads its session, once: %s', async (_how, headers, name) => {
    const { browser } = await signIn(headers);
    await makeOld(tokenOf(browser));
    browser.jar.device = '';
    const set = setBy(await browser.call('/api/session', { headers }));
    expect(set.filter((each) => each.startsWith(`${name}=`))).toHaveLength(1);
    expect(await isKnown(browser.jar.device)).toBe(true);
    const again = setBy(await browser.call('/api/session', { headers }));
    expect(again.filter((each) => each.includes('_device='))).toEqual([]);
  });

  test('is none whose session began since, or who has a key alone', async () => {
    const { browser } = await signIn({});
    browser.jar.device = '';
    expect(setBy(await browser.call('/api/session'))).toEqual([]);
    const { json } = await browser.call('/api/session/key', { method: 'POST' });
    await makeOld(tokenOf(browser));
    const stranger = openBrowser(service);
    for (const key of [service.key, json.key]) {
      const answer = await stranger.call('/api/session', { headers: { 'x-api-key': key } });
      expect(answer.status).toBeGreaterThanOrEqual(401);
      expect(setBy(answer)).toEqual([]);
    }
    // With a session beside the key, the key is what counts.
    browser.jar.device = '';
    const both = await browser.call('/api/session', { headers: { 'x-api-key': service.key } });
    expect([both.status, setBy(both)]).toEqual([403, []]);
  });
});

test('so it is where the public address is https, and not below a path prefix', async () => {
  for (const [options, name] of [
    [{ publicAddress: 'https://vision.example' }, '__Host-lynceus_session'],
    [{ publicAddress: 'https://vision.example/v', pathPrefix: '/v' }, 'lynceus_session'],
    [{}, 'lynceus_session'],
  ] as const) {
    const other = await startTestService(options);
    const browser = await enterAs(other, other.accountId, 'member', email);
    expect(browser.jar.cookie.split('=')[0]).toBe(name);
    expect(browser.jar.device.split('=')[0]).toBe(name.replace('session', 'device'));
    await other.stop();
  }
}, 300_000);
