import { Agent, request } from 'undici';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { callApi } from './api/fixtures/call-api.js';
import { imageBytes, multipart } from './fixtures/bodies.js';
import { callV1 } from './fixtures/call-v1.js';
import { startTestService, type TestService, type TestServiceOptions } from './fixtures/test-service.js';

let service: TestService;
const start = async (options: TestServiceOptions) => {
  service = await startTestService(options);
};
afterEach(() => {
  vi.useRealTimers();
  return service.stop();
});

const sent = multipart([{ name: 'image', fileName: 'a.jpg', content: imageBytes(500) }]);
const from = (address: string, path = '/predict/image?apikey=no') =>
  request(`${service.base}${path}`, { headers: { 'x-forwarded-for': address } }).then(async (answer) => {
    await answer.body.dump();
    return answer.statusCode;
  });

describe('a limit per address', () => {
  test('slows the guessing of keys, and holds for good keys as well', async () => {
    await start({ rateLimitPerAddress: 3 });
    for (const key of ['guess-one', 'guess-two', 'guess-three']) {
      expect((await callV1(service, '/predict/image', { key })).status).toBe(401);
    }
    const refused = await callV1(service, '/predict/image', { sent });
    expect([refused.status, refused.json.status]).toEqual([429, 'Error (Too Many Requests)']);
    expect(refused.json.error.code).toBe('too_many_requests');
    expect(refused.json.error.message).toMatch(
      /^more than 3 requests a minute from this address; try again in/,
    );
    expect(await service.callsUsed()).toBe(0);
    expect(service.runner.seen).toEqual([]);
  });

  test('covers every predict path and the API, and neither health, docs nor questions beforehand', async () => {
    await start({ rateLimitPerAddress: 1 });
    await callV1(service, '/predict/image', { key: 'no' });
    for (const path of [
      '/predict',
      '/predict/image',
      '/predict/object_detection/',
      '/predict/face',
      '/api/keys',
    ]) {
      const method = path === '/predict' ? 'PUT' : 'GET';
      const answer = await request(`${service.base}${path}?api_key=${service.key}`, { method });
      expect([path, answer.statusCode]).toEqual([path, 429]);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      await answer.body.dump();
    }
    for (const path of ['/livez', '/readyz', '/docs/openapi.json']) {
      expect([path, await from('203.0.113.1', path)]).toEqual([path, 200]);
    }
    const headers = { origin: 'https://page.example', 'access-control-request-method': 'PUT' };
    const flight = await request(`${service.base}/predict`, { method: 'OPTIONS', headers });
    expect(flight.statusCode).toBe(204);
  });

  test('lasts for the seconds that Retry-After names, and no longer', async () => {
    await start({ rateLimitPerAddress: 1 });
    await callV1(service, '/predict/image', { key: 'no' });
    const { headers, json } = await callV1(service, '/predict/image', {});
    const seconds = Number(headers['retry-after']);
    expect(String(headers['retry-after'])).toMatch(/^\d+$/);
    expect(seconds).toBeGreaterThan(50);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(json.error.message).toContain(`try again in ${seconds} s`);
    const logged = service.logLines.map((line) => JSON.parse(line));
    expect(logged.at(-1)).toMatchObject({ status: 429, error: 'too_many_requests' });

    const refusedAt = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: refusedAt + (seconds - 1) * 1000 });
    const early = await callV1(service, '/predict/image', {});
    expect([early.status, early.headers['retry-after']]).toEqual([429, '1']);
    vi.setSystemTime(refusedAt + seconds * 1000);
    expect((await callV1(service, '/predict/image', { sent })).status).toBe(200);
  });
});

describe('a limit per key', () => {
  test('holds for each key by itself, on predict paths and the API together', async () => {
    await start({ rateLimitPerKey: 2 });
    const other = await service.makeKey('other');
    expect((await callV1(service, '/predict/image', { sent })).status).toBe(200);
    expect((await callApi(service, '/api/account')).status).toBe(200);
    const v1 = await callV1(service, '/predict/image', { sent });
    expect([v1.status, v1.json.error.code]).toEqual([429, 'too_many_requests']);
    expect(v1.json.error.message).toContain('from this key');
    const api = await callApi(service, '/api/account');
    expect(api.json).toMatchObject({ status: 429, code: 'too_many_requests' });
    expect(api.headers['content-type']).toContain('application/problem+json');
    expect(Number(api.headers['retry-after'])).toBeGreaterThan(50);
    const v2 = await request(`${service.base}/predict?api_key=${service.key}`, { method: 'PUT', body: '{}' });
    expect(await v2.body.json()).toMatchObject({ predictions: [], status: -7 });
    expect((await callV1(service, '/predict/image', { sent, key: other.key })).status).toBe(200);
    expect(await service.callsUsed()).toBe(1);
  });

  test('is not used up by keys that are none', async () => {
    await start({ rateLimitPerKey: 1 });
    for (let attempt = 0; attempt < 50; attempt += 1) {
      expect((await callV1(service, '/predict/image', { key: `guess-${attempt}` })).status).toBe(401);
    }
    expect((await callV1(service, '/predict/image', { sent })).status).toBe(200);
  });

  test('refuses a large upload whole and keeps its connection', async () => {
    await start({ rateLimitPerKey: 1 });
    const large = multipart([{ name: 'image', fileName: 'a.jpg', content: imageBytes(3_000_000) }]);
    const client = new Agent({ connections: 1, pipelining: 1 });
    const ports = new Set<number | undefined>();
    service.app.server.on('request', ({ socket }) => ports.add(socket.remotePort));
    for (const status of [200, 429, 429]) {
      const answer = await request(`${service.base}/predict/image?apikey=${service.key}`, {
        method: 'POST',
        ...large,
        dispatcher: client,
      });
      expect(answer.statusCode).toBe(status);
      await answer.body.dump();
    }
    expect(ports.size).toBe(1);
    await client.close();
  });

  test('sends Retry-After also where every error is 200', async () => {
    await start({ rateLimitPerKey: 1, errorsAsOk: true });
    await callV1(service, '/predict/image', { sent });
    const { status, headers, json } = await callV1(service, '/predict/image', { sent });
    expect([status, json.status]).toEqual([200, 'Error (Too Many Requests)']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(50);
  });
});

test('without a setting nobody is limited', async () => {
  await start({});
  for (let call = 0; call < 300; call += 1) expect(await from('203.0.113.1')).toBe(401);
});

describe('behind a proxy', () => {
  test('each client is limited by its own address, of IPv6 by its /64', async () => {
    await start({ rateLimitPerAddress: 1, trustedProxies: '127.0.0.0/8' });
    expect(await from('203.0.113.1')).toBe(401);
    expect(await from('203.0.113.1')).toBe(429);
    expect(await from('203.0.113.2')).toBe(401);
    expect(await from('2001:db8:0:1::1')).toBe(401);
    expect(await from('2001:db8:0:1:ffff::2')).toBe(429);
    expect(await from('2001:db8:0:2::1')).toBe(401);
    expect(await from('::ffff:203.0.113.1')).toBe(429);
  });

  test('what a client says in front of the proxy is not believed', async () => {
    await start({ rateLimitPerAddress: 1, trustedProxies: '127.0.0.1, 10.0.0.0/8' });
    expect(await from('198.51.100.1, 203.0.113.9')).toBe(401);
    expect(await from('198.51.100.2, 203.0.113.9')).toBe(429);
    // A second trusted proxy in between.
    expect(await from('198.51.100.3, 203.0.113.9, 10.1.2.3')).toBe(429);
  });

  test('an address that is none counts as the proxy’s own', async () => {
    await start({ rateLimitPerAddress: 1, trustedProxies: '127.0.0.1' });
    expect(await from('unknown')).toBe(401);
    expect(await from('x'.repeat(5000))).toBe(429);
    expect(await from('fe80::1%eth0')).toBe(401);
  });

  test('a proxy that is not trusted cannot name addresses', async () => {
    await start({ rateLimitPerAddress: 1, trustedProxies: '10.0.0.0/8' });
    expect(await from('203.0.113.1')).toBe(401);
    expect(await from('203.0.113.2')).toBe(429);
  });
});
