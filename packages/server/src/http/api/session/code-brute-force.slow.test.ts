import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openUsers } from '../../../accounts/users/users.js';
import { type Browser, enterAs, goodPassword, openBrowser } from '../../fixtures/browser.js';
import { startTestService, type TestService } from '../../fixtures/test-service.js';

const stepMs = 30_000;
const dayMs = 86_400_000;
let nowMs = Math.floor(Date.now() / stepMs) * stepMs;
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ clock: () => nowMs, trustedProxies: '127.0.0.1' });
});
afterAll(() => service.stop());

async function enrol(email: string) {
  const browser = await enterAs(service, service.accountId, 'owner', email);
  const { json } = await browser.call('/api/user/totp', { method: 'POST', body: { password: goodPassword } });
  const totp = new TOTP({ secret: Secret.fromBase32(json.secret) });
  const nextCode = () => {
    nowMs += stepMs;
    return totp.generate({ timestamp: nowMs });
  };
  const { json: confirmed } = await browser.call('/api/user/totp', {
    method: 'PUT',
    body: { code: nextCode() },
  });
  const wrongCode = () => {
    const good = [-1, 0, 1].map((step) => totp.generate({ timestamp: nowMs + step * stepMs }));
    return ['000000', '111111', '222222', '333333'].find((code) => !good.includes(code)) ?? '';
  };
  return { email, browser, nextCode, wrongCode, recoveryCodes: confirmed.recovery_codes as string[] };
}

let addresses = 0;
/** From another address each time. */
const signIn = (email: string, code: string, browser = openBrowser(service), password = goodPassword) => {
  addresses += 1;
  return browser.call('/api/session', {
    method: 'POST',
    body: { email, password, code },
    headers: { 'x-forwarded-for': `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}` },
  });
};
/** Asks from many addresses again and again for so long; answers how many guesses were looked at. */
async function attemptFor(
  durationMs: number,
  everyMs: number,
  attempt: () => Promise<number>,
): Promise<number> {
  let looked = 0;
  const endMs = nowMs + durationMs;
  while (nowMs < endMs) {
    const status = await attempt();
    expect([401, 429]).toContain(status);
    if (status === 401) looked += 1;
    nowMs += everyMs;
  }
  return looked;
}

describe('guessing codes with the password', () => {
  test('has ten guesses a day after the first few, from however many addresses', async () => {
    const { email, wrongCode } = await enrol('guessed@example.com');
    const attempt = async () => (await signIn(email, wrongCode())).status;
    expect(await attemptFor(dayMs, 15 * 60_000, attempt)).toBeLessThanOrEqual(21);
    const second = await attemptFor(dayMs, 12 * 60_000, attempt);
    expect(second).toBeGreaterThan(5);
    expect(second).toBeLessThanOrEqual(10);
  }, 300_000);

  test('of many at once as many are looked at, and as many count in another service and after a restart', async () => {
    const { email, wrongCode } = await enrol('at-once@example.com');
    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(email, wrongCode())));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
    const other = await openUsers({
      database: service.database,
      clock: () => nowMs,
      installationKeys: [service.installationKey],
      onKeyRevoked: () => undefined,
      settings: {
        openSignUp: false,
        sessionIdleDays: 14,
        sessionMaxDays: 90,
        trialCalls: 10,
        resultDays: 30,
        accountDeletionDelayHours: 72,
      },
      onAuditFailure: () => undefined,
    });
    const visitor = { address: '192.0.2.77', site: '192.0.2.77', userAgent: '', devices: undefined };
    const wanted = { email, password: goodPassword, code: wrongCode() };
    const options = { oldToken: undefined, signal: new AbortController().signal };
    await expect(other.signIn(wanted, visitor, options)).rejects.toMatchObject({ code: 'too_many_requests' });
    await other.close();
  });

  test('locks no known device out, nor recovery codes, and signing in gives a guesser no new tries', async () => {
    const { email, browser, wrongCode, nextCode, recoveryCodes } = await enrol('held@example.com');
    expect((await signIn(email, nextCode(), browser)).status).toBe(201);
    const refused = async () => (await signIn(email, wrongCode())).status === 429;
    for (let tried = 0; tried < 5; tried += 1) expect(await refused()).toBe(false);
    expect(await refused()).toBe(true);
    // The right code waits as well, where nobody knows the browser.
    expect((await signIn(email, nextCode())).status).toBe(429);
    const known = await signIn(email, nextCode(), browser);
    expect(known.status).toBe(201);
    expect((await signIn(email, recoveryCodes[0] ?? '')).status).toBe(201);
    // The one whose time has come, and no more.
    expect([await refused(), await refused()]).toEqual([false, true]);
  });

  test('from a stolen device has a counter of its own, and ends with the password', async () => {
    const { email, browser, wrongCode, nextCode } = await enrol('stolen@example.com');
    expect((await signIn(email, nextCode(), browser)).status).toBe(201);
    const thief = openBrowser(service);
    thief.jar.device = browser.jar.device;
    const statuses: number[] = [];
    for (let tried = 0; tried < 7; tried += 1)
      statuses.push((await signIn(email, wrongCode(), thief)).status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    const body = { current: goodPassword, password: 'velvet_Tractor 44 moons' };
    expect((await browser.call('/api/user/password', { method: 'PUT', body })).status).toBe(204);
    expect(browser.jar.device).not.toBe(thief.jar.device);
    // It is nobody's any more, and so waits with all whom nobody knows; the device that changed the password is known.
    for (let tried = 0; tried < 5; tried += 1)
      await signIn(email, wrongCode(), openBrowser(service), body.password);
    expect((await signIn(email, nextCode(), thief, body.password)).status).toBe(429);
  });

  test('counts nothing without the password, so nobody else makes anybody wait', async () => {
    const { email, nextCode } = await enrol('without@example.com');
    for (let tried = 0; tried < 15; tried += 1)
      expect((await signIn(email, '000000', openBrowser(service), 'a guess')).status).toBe(401);
    expect((await signIn(email, nextCode())).status).toBe(201);
    const rows = await service.database.query
      .selectFrom('web_code_counter')
      .innerJoin('web_user', 'web_user.id', 'web_code_counter.user_id')
      .select('failures')
      .where('email', '=', email)
      .execute();
    expect(rows.filter(({ failures }) => failures > 0)).toEqual([]);
  });

  test('is shown to the user until they dismiss it, and is in the audit log', async () => {
    const { email, browser, wrongCode, nextCode } = await enrol('shown@example.com');
    const shown = async (who: Browser) => (await who.call('/api/session')).json.wrong_codes;
    expect(await shown(browser)).toBeNull();
    for (let tried = 0; tried < 3; tried += 1) await signIn(email, wrongCode());
    const lastAt = new Date(nowMs).toISOString();
    const entered = await signIn(email, nextCode(), browser);
    expect(entered.json.wrong_codes).toEqual({ count: 3, last_at: lastAt });
    const { json } = await browser.call('/api/audit?action=session.refuse');
    expect(json.data.slice(0, 3).map((entry: { details: unknown }) => entry.details)).toEqual([
      ...[{ wrong: 'code' }, { wrong: 'code' }, { wrong: 'code' }],
    ]);
    expect((await browser.call('/api/user/wrong-codes', { method: 'DELETE' })).status).toBe(204);
    expect(await shown(browser)).toBeNull();
    // Mistypes of their own, on a browser that they are known by, are no news.
    await signIn(email, wrongCode(), browser);
    expect((await signIn(email, nextCode(), browser)).json.wrong_codes).toBeNull();
  });
});
