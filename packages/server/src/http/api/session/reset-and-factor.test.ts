import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, enterAs, goodPassword, openBrowser } from '../../fixtures/browser.js';
import { startTestService, type TestService } from '../../fixtures/test-service.js';

const stepMs = 30_000;
const operator = { kind: 'operator', id: null, name: 'operator', address: null } as const;
const newPassword = 'another-Bucket 9 comets';
let nowMs = Math.floor(Date.now() / stepMs) * stepMs;
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ clock: () => nowMs });
});
afterAll(() => service.stop());

interface Enrolled {
  readonly email: string;
  readonly browser: Browser;
  readonly recoveryCodes: readonly string[];
  /** What the authenticator shows; each call is a step later, for a code is good once. */
  readonly nextCode: () => string;
}

/** A user with a second factor in force. */
async function enrol(email: string): Promise<Enrolled> {
  const browser = await enterAs(service, service.accountId, 'owner', email);
  const { json: prepared } = await browser.call('/api/user/totp', {
    method: 'POST',
    body: { password: goodPassword },
  });
  const totp = new TOTP({ secret: Secret.fromBase32(prepared.secret) });
  const nextCode = () => {
    nowMs += stepMs;
    return totp.generate({ timestamp: nowMs });
  };
  const { json } = await browser.call('/api/user/totp', { method: 'PUT', body: { code: nextCode() } });
  return { email, browser, nextCode, recoveryCodes: json.recovery_codes };
}

const post = (path: string, body: unknown, browser = openBrowser(service)) =>
  browser.call(path, { method: 'POST', body });
const resetLink = async (email: string) => (await service.users.makeLinks.reset(operator, { email })).token;
const hasTotp = async (email: string) => {
  const row = await service.database.query
    .selectFrom('web_user')
    .select('sealed_totp')
    .where('email_key', '=', email)
    .executeTakeFirstOrThrow();
  return row.sealed_totp !== null;
};

describe('a reset link of a user with a second factor', () => {
  test('opens no session without a code, and takes no second factor off', async () => {
    const { email } = await enrol('mallory-was-here@example.com');
    const token = await resetLink(email);
    const thief = openBrowser(service);
    const used = await post('/api/links/use', { token, password: newPassword }, thief);
    expect([used.status, used.json.code]).toEqual([401, 'code_needed']);
    expect(used.headers['set-cookie']).toBeUndefined();
    const removed = await post('/api/user/totp/remove', { password: newPassword, code: '000000' }, thief);
    expect(removed.status).toBe(401);
    expect(await hasTotp(email)).toBe(true);
  });

  test('says so when it is looked at, and lets in with a code; one that is wrong leaves the link unused', async () => {
    const { email, nextCode, browser } = await enrol('ada@example.com');
    const token = await resetLink(email);
    expect((await post('/api/links/look', { token })).json.needs_code).toBe(true);
    const wrong = await post('/api/links/use', { token, password: newPassword, code: '000000' });
    expect([wrong.status, wrong.json.code]).toEqual([401, 'wrong_sign_in']);
    expect((await post('/api/links/look', { token })).status).toBe(200);
    expect((await browser.call('/api/session')).status).toBe(200);
    const used = await post('/api/links/use', { token, password: newPassword, code: nextCode() });
    expect([used.status, used.json.user.has_totp]).toEqual([201, true]);
    expect((await browser.call('/api/session')).status).toBe(401);
    expect((await post('/api/links/look', { token })).status).toBe(404);
    const asked = await post('/api/session', { email, password: newPassword });
    expect(asked.json.code).toBe('code_needed');
  });

  test('lets in with a recovery code, though codes were guessed meanwhile', async () => {
    const { email, recoveryCodes } = await enrol('grace@example.com');
    const token = await resetLink(email);
    const use = (code?: string) => post('/api/links/use', { token, password: newPassword, code });
    const refusals: number[] = [];
    for (let tried = 0; tried < 7; tried += 1) refusals.push((await use('000000')).status);
    expect(refusals).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expect((await use(recoveryCodes[0])).status).toBe(201);
  });

  test('is used once of two with good codes at once, and a weak password costs no code', async () => {
    const { email, recoveryCodes } = await enrol('mary@example.com');
    const token = await resetLink(email);
    const use = (code: string | undefined, password = newPassword) =>
      post('/api/links/use', { token, password, code });
    expect((await use(recoveryCodes[0], 'password1')).json.code).toBe('weak_password');
    const answers = await Promise.all([use(recoveryCodes[0]), use(recoveryCodes[1])]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404]);
  });
});

describe('a second factor', () => {
  test('is set up by nobody who found a page open: that wants the password', async () => {
    const browser = await enterAs(service, service.accountId, 'member', 'open@example.com');
    const without = await post('/api/user/totp', {}, browser);
    expect([without.status, without.json.code]).toEqual([400, 'wrong_parameters']);
    expect((await post('/api/user/totp', { password: 'a guess' }, browser)).json.code).toBe('wrong_sign_in');
  });

  test('is taken off by nobody who has the session and the password alone', async () => {
    const { email, browser, nextCode } = await enrol('session@example.com');
    const remove = (code?: string) =>
      post('/api/user/totp/remove', { password: goodPassword, code }, browser);
    expect((await remove()).json.code).toBe('wrong_parameters');
    const statuses: number[] = [];
    for (let tried = 0; tried < 7; tried += 1) statuses.push((await remove('000000')).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expect(await hasTotp(email)).toBe(true);
    // Guesses within a session keep nobody from signing in.
    const code = nextCode();
    expect((await post('/api/session', { email, password: goodPassword, code })).status).toBe(201);
  });
});
