import { afterEach, expect, test } from 'vitest';
import { callApi } from './api/fixtures/call-api.js';
import { startTestService, type TestService } from './fixtures/test-service.js';

const running: TestService[] = [];
afterEach(async () => {
  for (const service of running.splice(0).reverse()) await service.stop();
});

async function startTwo() {
  const options = { rateLimitPerKey: 7, httpReplicas: () => 2 };
  const first = await startTestService(options);
  running.push(first);
  const second = await startTestService({ ...options, beside: first });
  running.push(second);
  return [first, second] as const;
}
const allowed = async (services: readonly TestService[], key: string) => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const service = services[index % services.length];
      return service === undefined ? 0 : (await callApi(service, '/api/usage', { key })).status;
    }),
  );
  return answers.filter((status) => status === 200).length;
};

test('of two replicas each allows half a minute’s requests, rounded up', async () => {
  const services = await startTwo();
  const [first] = services;
  expect(await allowed([first], first.key)).toBe(4);
  expect(await allowed(services, first.key)).toBe(4);
});

test('an account that asks for exact limits has them over both, on either, to the last request', async () => {
  const services = await startTwo();
  const [first] = services;
  const { key } = await first.makeKey('exact');
  await first.accounts.changeAccount('exact', { hasExactRateLimits: true });
  expect(await allowed(services, key)).toBe(7);
  const { json, headers } = await callApi(services[1], '/api/usage', { key });
  expect(json.detail ?? json.title).toMatch(
    /more than 7 requests a minute from this key; try again in \d+ s/,
  );
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  // Another key of the account has its own, and an account that did not ask has its share.
  expect(await allowed(services, (await first.makeKey('exact')).key)).toBe(7);
  expect(await allowed([first], first.key)).toBe(4);
});
