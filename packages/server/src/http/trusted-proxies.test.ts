import { expect, test } from 'vitest';
import { parseTrustedProxies } from './trusted-proxies.js';

test('a list of networks and addresses is read', () => {
  expect(parseTrustedProxies('')).toEqual([]);
  expect(parseTrustedProxies(' 10.0.0.0/8, 192.0.2.7 ,fd00::/8,::1')).toEqual([
    '10.0.0.0/8',
    '192.0.2.7',
    'fd00::/8',
    '::1',
  ]);
});

test.each([
  'loopback',
  '10',
  '10/8',
  '0.0.0.0/0',
  '::/0',
  '10.0.0.0/33',
  '10.0.0.0/8/8',
  '1.2.3',
  'host.example',
])('%s is refused by name', (entry) => {
  expect(() => parseTrustedProxies(`10.0.0.1,${entry}`)).toThrow(`trustedProxies: ${entry} is no network`);
});
