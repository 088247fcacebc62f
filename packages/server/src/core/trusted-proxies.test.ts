import { expect, test } from 'vitest';
import { createIsTrusted, parseTrustedProxies } from './trusted-proxies.js';

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

test('an address is known as one of a list, IPv4 also as a socket of IPv6 shows it', () => {
  const isTrusted = createIsTrusted(['10.0.0.0/8', '192.0.2.7', 'fd00::/8']);
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '192.0.2.7', 'fd00::5']) {
    expect([address, isTrusted(address)]).toEqual([address, true]);
  }
  for (const address of ['11.0.0.1', '::ffff:192.0.2.8', 'fe80::1', '', 'proxy']) {
    expect([address, isTrusted(address)]).toEqual([address, false]);
  }
  expect(createIsTrusted([])('10.1.2.3')).toBe(false);
});
