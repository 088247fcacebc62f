import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { enterAs, goodPassword, openBrowser } from '../../fixtures/browser.js';
import { startTestService, type TestService } from '../../fixtures/test-service.js';

// It stands still: what is let by is what is free.
const clock = () => 1_800_000_000_000;
let services: readonly [TestService, TestService];
beforeAll(async () => {
  const options = { clock, trustedProxies: '127.0.0.1' };
  const first = await startTestService(options);
  services = [first, await startTestService({ ...options, beside: first })];
});
afterAll(async () => {
  for (const service of [...services].reverse()) await service.stop();
});

const signIn = (
  index: number,
  { email, password = 'wrong', address }: { email: string; password?: string; address: string },
) =>
  openBrowser(services[index % 2 === 0 ? 0 : 1]).call('/api/session', {
    method: 'POST',
    body: { email, password },
    headers: { 'x-forwarded-for': address },
  });
const countOf = (answers: readonly { readonly status: number }[], wanted: number) =>
  answers.filter(({ status }) => status === wanted).length;

describe('guesses at once on two services of one database', () => {
  test('from one address at one user are as many as on one service', async () => {
    const email = 'one-site@example.com';
    await enterAs(services[0], services[0].accountId, 'member', email);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => signIn(index, { email, address: '192.0.2.1' })),
    );
    expect([countOf(answers, 401), countOf(answers, 429)]).toEqual([5, 35]);
    for (const index of [0, 1]) {
      const { status, headers } = await signIn(index, {
        email,
        address: '192.0.2.1',
        password: goodPassword,
      });
      expect([status, headers['retry-after']]).toEqual([429, '1']);
    }
  });

  test('from one address at many users are as many as on one service', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        signIn(index, { email: `nobody-${index}@example.com`, address: '192.0.2.2' }),
      ),
    );
    expect([countOf(answers, 401), countOf(answers, 429)]).toEqual([30, 30]);
  });

  test('from everywhere at one user are as many as on one service, and the others wait for a turn', async () => {
    const email = 'everywhere@example.com';
    await enterAs(services[0], services[0].accountId, 'member', email);
    const answered: number[] = [];
    const all = Array.from({ length: 50 }, (_, index) =>
      signIn(index, { email, address: `198.51.100.${index}` }).then(({ status }) => answered.push(status)),
    );
    await expect.poll(() => answered.filter((status) => status === 401).length).toBe(20);
    // Those without a turn are refused when their time, or that of the request, is over.
    await Promise.all(all);
    expect([answered.length, answered.filter((status) => status !== 401).length]).toEqual([50, 30]);
  });

  test('a user who signs in on the one is let in by the other as well, and others go on waiting', async () => {
    const email = 'good@example.com';
    await enterAs(services[0], services[0].accountId, 'member', email);
    for (let tried = 0; tried < 4; tried += 1) await signIn(tried, { email, address: '192.0.2.3' });
    const good = { email, password: goodPassword, address: '192.0.2.3' };
    for (const index of [0, 1, 0, 1, 0, 1]) expect((await signIn(index, good)).status).toBe(201);
    for (let tried = 0; tried < 5; tried += 1) {
      expect((await signIn(tried, { email, address: '192.0.2.3' })).status).toBe(401);
    }
    expect((await signIn(1, { email, address: '192.0.2.3' })).status).toBe(429);
  });

  test('at a second factor are as many as on one service', async () => {
    const email = 'factor@example.com';
    const browser = await enterAs(services[0], services[0].accountId, 'member', email);
    await browser.call('/api/user/totp', { method: 'POST', body: { password: goodPassword } });
    // Of a secret that is not in force yet: confirming it is a guess as well.
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const other = openBrowser(services[index % 2 === 0 ? 0 : 1]);
        Object.assign(other.jar, browser.jar);
        return other.call('/api/user/totp', { method: 'PUT', body: { code: '000000' } });
      }),
    );
    expect([countOf(answers, 400), countOf(answers, 429)]).toEqual([5, 15]);
  });
});
