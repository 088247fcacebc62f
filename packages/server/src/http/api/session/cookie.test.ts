import { afterEach, expect, test } from 'vitest';
import { enterAs, goodPassword, openBrowser } from '../../fixtures/browser.js';
import {
  isBehindNginx,
  startTestService,
  type TestService,
  type TestServiceOptions,
} from '../../fixtures/test-service.js';

let service: TestService | undefined;
afterEach(async () => {
  await service?.stop();
  service = undefined;
});

async function cookieOf(options: TestServiceOptions, headers: Record<string, string> = {}) {
  service = await startTestService(options);
  await enterAs(service, service.accountId, 'member', 'ada@example.com');
  const browser = openBrowser(service);
  const body = { email: 'ada@example.com', password: goodPassword };
  await browser.call('/api/session', { method: 'POST', body, headers });
  return browser.jar.setCookie.split('; ').slice(2).sort();
}

/** What answers of every kind say to a browser about TLS: an error of the wire, of the API, an answer, a page. */
async function strictTransport(headers: Record<string, string>) {
  const paths = ['/predict/image', '/api/account', '/api/sign-in', '/api/nowhere', '/docs', '/livez'];
  return Promise.all(
    paths.map(async (path) => {
      const answer = await openBrowser({ base: service?.base ?? '' }).call(path, { headers });
      return [path, answer.headers['strict-transport-security']] as const;
    }),
  );
}

// As it is shipped, nginx is asked by plain HTTP and says so.
test.skipIf(isBehindNginx)(
  'the cookie of a service behind TLS goes over TLS alone, and below its prefix alone; every answer asks for TLS',
  async () => {
    const options = { trustedProxies: '127.0.0.1', pathPrefix: '/vision' };
    expect(await cookieOf(options, { 'x-forwarded-proto': 'https' })).toEqual([
      ...['HttpOnly', 'Path=/vision', 'SameSite=Lax', 'Secure'],
    ]);
    const byTls = await strictTransport({ 'x-forwarded-proto': 'https' });
    expect(byTls).toEqual(byTls.map(([path]) => [path, 'max-age=31536000']));
    expect((await strictTransport({})).filter(([, header]) => header !== undefined)).toEqual([]);
  },
  300_000,
);

test('so it is where the public address is https', async () => {
  expect(await cookieOf({ publicAddress: 'https://vision.example' })).toContain('Secure');
  const answered = await strictTransport({});
  expect(answered).toEqual(answered.map(([path]) => [path, 'max-age=31536000']));
}, 300_000);

test('nobody but a trusted proxy says that a request came by TLS', async () => {
  expect(await cookieOf({}, { 'x-forwarded-proto': 'https' })).not.toContain('Secure');
}, 300_000);
