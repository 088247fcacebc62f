import { afterEach, expect, test, vi } from 'vitest';
import { createProxiedFetch } from './proxied-fetch.js';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('a proxy that is no address is named, and is not mistaken for a network that is away', async () => {
  vi.stubEnv('https_proxy', undefined);
  vi.stubEnv('HTTPS_PROXY', 'proxy.example.com:3128');
  const fetched = createProxiedFetch()('https://example.com/model.onnx', {
    headers: {},
    signal: new AbortController().signal,
  });
  await expect(fetched).rejects.toMatchObject({
    name: 'FetchError',
    unreachable: false,
    message: expect.stringContaining('HTTPS_PROXY'),
  });
});
