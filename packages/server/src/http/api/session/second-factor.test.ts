import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusalTrustedMs } from '../../../service/limits/limiter.js';
import { type Browser, enterAs, goodPassword, openBrowser } from '../../fixtures/browser.js';
import { isBehindNginx, startTestService, type TestService } from '../../fixtures/test-service.js';

const stepMs = 30_000;
let nowMs = Math.floor(Date.now() / stepMs) * stepMs;
let service: TestService;
let ada: Browser;
let secret = '';
let recoveryCodes: string[] = [];
beforeAll(async () => {
  service = await startTestService({ clock: () => nowMs });
  ada = await enterAs(service, service.accountId, 'owner', 'ada@example.com');
});
afterAll(() => service.stop());

const codeAt = (timeMs: number) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: timeMs });
const signIn = async (code?: string) => {
  const body = { email: 'ada@example.com', password: goodPassword, ...(code === undefined ? {} : { code }) };
  const { status, json } = await openBrowser(service).call('/api/session', { method: 'POST', body });
  return status === 201 ? 'in' : String(json.code);
};

describe('the second factor', () => {
  test('is in force once a code of it was given', async () => {
    const prepare = (password: string) => ada.call('/api/user/totp', { method: 'POST', body: { password } });
    expect((await prepare('not this one')).json.code).toBe('wrong_sign_in');
    const prepared = await prepare(goodPassword);
    secret = prepared.json.secret;
    expect(prepared.json.uri).toContain(
      `otpauth://totp/Lynceus:ada%40example.com?issuer=Lynceus&secret=${secret}`,
    );
    expect(await signIn()).toBe('in');
    const wrong = await ada.call('/api/user/totp', { method: 'PUT', body: { code: '000000' } });
    expect(wrong.status).toBe(400);
    const confirmed = await ada.call('/api/user/totp', { method: 'PUT', body: { code: codeAt(nowMs) } });
    recoveryCodes = confirmed.json.recovery_codes;
    expect(recoveryCodes).toHaveLength(10);
    expect((await ada.call('/api/session')).json.user.has_totp).toBe(true);
  });

  test('is not put in force by guessing, where a user asked for a secret and left', async () => {
    const grace = await enterAs(service, service.accountId, 'member', 'grace@example.com');
    const prepare = () => grace.call('/api/user/totp', { method: 'POST', body: { password: goodPassword } });
    const confirm = async (code: string) =>
      (await grace.call('/api/user/totp', { method: 'PUT', body: { code } })).status;
    await prepare();
    const guessed = await Promise.all(
      Array.from({ length: 30 }, (_, attempt) => confirm(`00000${attempt % 10}`)),
    );
    expect(guessed.filter((status) => status === 400).length).toBeLessThanOrEqual(5);
    expect(guessed.filter((status) => status === 429).length).toBeGreaterThanOrEqual(25);
    // Who has the password continues with another secret.
    const { json } = await prepare();
    // For so long another replica trusts what it knows of refusals.
    if (isBehindNginx) nowMs += refusalTrustedMs + 1;
    const code = new TOTP({ secret: Secret.fromBase32(json.secret) }).generate({ timestamp: nowMs });
    expect(await confirm(code)).toBe(200);
  });

  test('its secret and codes are nowhere in the database as they are, nor in an answer or the log again', async () => {
    const { query } = service.database;
    const rows = JSON.stringify([
      await query.selectFrom('web_user').selectAll().execute(),
      await query.selectFrom('web_recovery_code').selectAll().execute(),
      await query.selectFrom('audit_entry').selectAll().execute(),
      service.logLines,
      (await ada.call('/api/session')).json,
      (await ada.call('/api/audit')).json,
    ]);
    for (const hidden of [secret, ...recoveryCodes, goodPassword]) expect(rows).not.toContain(hidden);
  });

  test('a code is wanted once the password is right, and is good once', async () => {
    expect(await signIn()).toBe('code_needed');
    // The one that confirmed it is used already.
    expect(await signIn(codeAt(nowMs))).toBe('wrong_sign_in');
    nowMs += stepMs;
    expect(await signIn(codeAt(nowMs))).toBe('in');
    expect(await signIn(codeAt(nowMs))).toBe('wrong_sign_in');
  });

  test('of two who use a code at once one is let in', async () => {
    nowMs += 2 * stepMs;
    const tried = await Promise.all([signIn(codeAt(nowMs)), signIn(codeAt(nowMs))]);
    expect(tried.sort()).toEqual(['in', 'wrong_sign_in']);
  });

  test('a clock may be a step off, and no more', async () => {
    nowMs += 3_600_000;
    expect(await signIn(codeAt(nowMs - 2 * stepMs))).toBe('wrong_sign_in');
    expect(await signIn(codeAt(nowMs + 2 * stepMs))).toBe('wrong_sign_in');
    // So many wrong ones wait.
    expect(await signIn(codeAt(nowMs - stepMs))).toBe('too_many_requests');
    nowMs += 60_000;
    expect(await signIn(codeAt(nowMs - stepMs))).toBe('in');
    expect(await signIn(codeAt(nowMs + stepMs))).toBe('in');
    // An earlier one than was used counts no more.
    expect(await signIn(codeAt(nowMs))).toBe('wrong_sign_in');
  });

  test('a recovery code serves as well, once, however it is spelt', async () => {
    nowMs += 3_600_000;
    const [code = ''] = recoveryCodes;
    expect(await signIn(code.toLowerCase().replaceAll('-', ' '))).toBe('in');
    expect(await signIn(code)).toBe('wrong_sign_in');
  });

  test('stays when the password is reset by a link', async () => {
    const operator = { kind: 'operator', id: null, name: 'operator', address: null } as const;
    const { token } = await service.users.makeLinks.reset(operator, { email: 'ada@example.com' });
    const body = { token, password: goodPassword, code: recoveryCodes[1] };
    ada = openBrowser(service);
    expect((await ada.call('/api/links/use', { method: 'POST', body })).json.user.has_totp).toBe(true);
    expect(await signIn()).toBe('code_needed');
  });

  test('its recovery codes are renewed by a code, and those before are good no more', async () => {
    const renew = (code: string) =>
      ada.call('/api/user/totp/recovery-codes', { method: 'POST', body: { code } });
    expect((await renew('000000')).json.code).toBe('wrong_sign_in');
    const before = recoveryCodes;
    recoveryCodes = (await renew(before[2] ?? '')).json.recovery_codes;
    expect(recoveryCodes).toHaveLength(10);
    expect(await signIn(before[3])).toBe('wrong_sign_in');
    expect(await signIn(recoveryCodes[0])).toBe('in');
  });

  test('is removed by the password and a code', async () => {
    const remove = (password: string, code: string) =>
      ada.call('/api/user/totp/remove', { method: 'POST', body: { password, code } });
    nowMs += 3_600_000;
    expect((await remove('not this one', codeAt(nowMs))).json.code).toBe('wrong_sign_in');
    expect((await remove(goodPassword, '000000')).json.code).toBe('wrong_sign_in');
    expect(await signIn()).toBe('code_needed');
    expect((await remove(goodPassword, codeAt(nowMs))).status).toBe(204);
    expect(await signIn()).toBe('in');
    const { json } = await ada.call('/api/audit');
    const actions = json.data.map((entry: { action: string }) => entry.action);
    expect(actions).toEqual(
      expect.arrayContaining(['totp.disable', 'totp.refuse', 'totp.renew_recovery_codes']),
    );
  });
});

describe('the own user', () => {
  test('another password ends the other sessions and not this one', async () => {
    const other = openBrowser(service);
    await other.call('/api/session', {
      method: 'POST',
      body: { email: 'ada@example.com', password: goodPassword },
    });
    const body = { current: goodPassword, password: 'velvet_Tractor 44 moons' };
    expect((await ada.call('/api/user/password', { method: 'PUT', body })).status).toBe(204);
    expect((await other.call('/api/session')).status).toBe(401);
    expect((await ada.call('/api/session')).status).toBe(200);
  });

  test('another address wants the password, and one that a user has is rejected', async () => {
    await enterAs(service, service.accountId, 'reader', 'taken@example.com');
    const password = 'velvet_Tractor 44 moons';
    const change = (body: object) => ada.call('/api/user', { method: 'PATCH', body });
    expect((await change({ email: 'new@example.com' })).json.code).toBe('wrong_parameters');
    expect((await change({ email: 'TAKEN@example.com', password })).json.code).toBe('conflict');
    const { status, json } = await change({ email: 'new@example.com', password, name: 'Ada L.' });
    expect([status, json.user.email, json.user.name]).toEqual([200, 'new@example.com', 'Ada L.']);
  });
});
