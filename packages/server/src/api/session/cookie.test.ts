import { afterEach, expect, test } from 'vitest';
import { enterAs, goodPassword, openBrowser } from '../../http/fixtures/browser.js';
import {
  startTestService,
  type TestService,
  type TestServiceOptions,
} from '../../http/fixtures/test-service.js';

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

test('the cookie of a service behind TLS goes over TLS alone, and below its prefix alone', async () => {
  const options = { trustedProxies: '127.0.0.1', pathPrefix: '/vision' };
  expect(await cookieOf(options, { 'x-forwarded-proto': 'https' })).toEqual([
    ...['HttpOnly', 'Path=/vision', 'SameSite=Lax', 'Secure'],
  ]);
});

test('so does the cookie of one whose public address is https', async () => {
  expect(await cookieOf({ publicAddress: 'https://vision.example' })).toContain('Secure');
});

test('nobody but a trusted proxy says that a request came by TLS', async () => {
  expect(await cookieOf({}, { 'x-forwarded-proto': 'https' })).not.toContain('Secure');
});
