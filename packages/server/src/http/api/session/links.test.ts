import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { enterAs, goodPassword, openBrowser } from '../../fixtures/browser.js';
import { startTestService, type TestService } from '../../fixtures/test-service.js';

const dayMs = 86_400_000;
const operator = { kind: 'operator', id: null, name: 'operator', address: null } as const;
let nowMs = Date.now();
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ clock: () => nowMs, openSignUp: true });
});
afterAll(() => service.stop());

const post = (path: string, body: unknown, browser = openBrowser(service)) =>
  browser.call(path, { method: 'POST', body });
const invite = async (email: string) =>
  (await service.users.invitations.make(service.accountId, operator, { email, role: 'member' })).token;

describe('the link of the first administrator', () => {
  test('one made later takes the place of the one before', async () => {
    const [old, young] = [await service.users.makeLinks.first(), await service.users.makeLinks.first()];
    expect((await post('/api/links/look', { token: old?.token })).json.code).toBe('no_such_link');
    expect((await post('/api/links/look', { token: young?.token })).json).toEqual({
      kind: 'first',
      account: null,
      email: null,
      role: null,
      expires_at: null,
      needs_code: false,
    });
  });

  test('nobody signs up before there is an administrator, though sign-up is open', async () => {
    const body = { email: 'early@example.com', name: 'E', password: goodPassword, account: 'early' };
    expect((await post('/api/sign-up', body)).json.code).toBe('not_allowed');
  });

  test('of ten who use it at once one becomes the administrator', async () => {
    const link = await service.users.makeLinks.first();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        post('/api/links/use', {
          token: link?.token,
          email: `root${index}@example.com`,
          name: 'R',
          password: goodPassword,
        }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, ...Array(9).fill(404)]);
    const userRows = await service.database.query.selectFrom('web_user').selectAll().execute();
    expect(userRows).toHaveLength(1);
    expect(userRows[0]).toMatchObject({ role: 'owner', is_administrator: 1, account_id: service.accountId });
    const keys = await service.database.query
      .selectFrom('api_key')
      .where('is_web', '=', 1)
      .selectAll()
      .execute();
    expect(keys).toHaveLength(1);
  });
});

describe('an invitation', () => {
  test('lets in once, as what it says, and of two who use it at once one', async () => {
    const token = await invite('ada@example.com');
    expect((await post('/api/links/look', { token })).json).toMatchObject({
      kind: 'invitation',
      account: 'first',
      email: 'ada@example.com',
      role: 'member',
    });
    const body = { token, name: 'Ada', password: goodPassword };
    const answers = await Promise.all([post('/api/links/use', body), post('/api/links/use', body)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, expect.toBeOneOf([404, 409])]);
    expect((await post('/api/links/use', body)).json.code).toBe('no_such_link');
  });

  test('is over after a week, when withdrawn, and when another was made for the address', async () => {
    const expired = await invite('late@example.com');
    nowMs += 7 * dayMs;
    const replaced = await invite('twice@example.com');
    await invite('twice@example.com');
    const owner = await enterAs(service, service.accountId, 'owner', 'inviting@example.com');
    const { json } = await post('/api/invitations', { email: 'no@example.com', role: 'reader' }, owner);
    expect(json.link).toMatch(new RegExp(`^${service.base}/welcome#[A-Za-z0-9_-]{43}$`));
    const withdrawn = json.link.split('#')[1];
    expect((await owner.call('/api/invitations')).text).not.toContain(withdrawn);
    expect((await owner.call(`/api/invitations/${json.id}`, { method: 'DELETE' })).status).toBe(204);
    for (const token of [expired, replaced, withdrawn, 'A'.repeat(43), 'short']) {
      const looked = await post('/api/links/look', { token });
      expect([looked.status, looked.json.code, looked.json.detail]).toEqual([
        ...[404, 'no_such_link', 'this link is unknown, used or expired; ask for a new one'],
      ]);
    }
  });

  test('is for its address alone, and stays unused when the password is weak', async () => {
    const token = await invite('grace@example.com');
    const body = { token, name: 'Grace', password: goodPassword };
    const other = await post('/api/links/use', { ...body, email: 'eve@example.com' });
    expect(other.json.code).toBe('wrong_parameters');
    const weak = await post('/api/links/use', { ...body, password: 'grace@example.com' });
    expect([weak.json.code, weak.json.detail]).toEqual([
      'weak_password',
      expect.stringContaining('personal'),
    ]);
    expect((await post('/api/links/use', body)).status).toBe(201);
  });

  test('of an address that a user has is rejected when it is used, and stays unused', async () => {
    const token = await invite('GRACE@example.com');
    const body = { token, name: 'Eve', password: goodPassword };
    expect((await post('/api/links/use', body)).json.code).toBe('conflict');
    expect((await post('/api/links/look', { token })).status).toBe(200);
  });
});

describe('a reset', () => {
  test('sets the password, ends every session, keeps the role, and is good for a day', async () => {
    const member = await enterAs(service, service.accountId, 'reader', 'lost@example.com');
    const stale = await service.users.makeLinks.reset(operator, { email: 'lost@example.com' });
    const { token } = await service.users.makeLinks.reset(operator, { email: 'Lost@example.com' });
    expect((await post('/api/links/look', { token: stale.token })).status).toBe(404);
    const password = 'another-Bucket 9 comets';
    const used = await post('/api/links/use', { token, password });
    expect([used.status, used.json.user.role]).toEqual([201, 'reader']);
    expect((await member.call('/api/session')).status).toBe(401);
    const old = await post('/api/session', { email: 'lost@example.com', password: goodPassword });
    expect(old.json.code).toBe('wrong_sign_in');
    expect((await post('/api/session', { email: 'lost@example.com', password })).status).toBe(201);
    const late = await service.users.makeLinks.reset(operator, { email: 'lost@example.com' });
    nowMs += dayMs;
    expect((await post('/api/links/look', { token: late.token })).status).toBe(404);
  });
});

describe('sign-up', () => {
  test('makes a trial account with its owner, who sees nothing of others', async () => {
    const body = { email: 'new@example.com', name: 'New', password: goodPassword, account: 'newcomers' };
    const browser = openBrowser(service);
    const { status, json } = await post('/api/sign-up', body, browser);
    expect([status, json.user.role, json.user.is_administrator, json.account.plan]).toEqual([
      ...[201, 'owner', false, 'trial'],
    ]);
    expect((await browser.call('/api/members')).json.data).toHaveLength(1);
    expect((await post('/api/sign-up', { ...body, email: 'x@example.com' })).json.code).toBe('conflict');
    expect((await post('/api/sign-up', { ...body, account: 'else' })).json.code).toBe('conflict');
  });
});

describe('a new password', () => {
  test.each([
    ['short', 'xK9!q', 'fewer than 8 characters'],
    ['common', 'password1', 'used password'],
    ['a row of keys', 'qwertyuiop', 'used password'],
    ['the own address', 'ada@example.com', 'personal'],
    ['one letter again and again', 'a'.repeat(256), 'easy to guess'],
  ])('that is weak (%s) is rejected with the reason', async (_name, password, why) => {
    const { json } = await post('/api/passwords/check', { password, email: 'ada@example.com' });
    expect(json.score).toBeLessThan(3);
    expect(json.warning).toContain(why);
  });

  test('that is good is taken, and one too long to look at is refused', async () => {
    const { json } = await post('/api/passwords/check', { password: goodPassword });
    expect(json).toEqual({ score: 4, warning: null, suggestions: [] });
    const { status } = await post('/api/passwords/check', { password: 'ä'.repeat(257) });
    expect(status).toBe(400);
  });
});
