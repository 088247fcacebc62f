import { expect, test } from 'vitest';
import { networkOf } from './client-network.js';
import { createConnectionLimiter } from './connection-limiter.js';

test('a /64 network of IPv6 counts as one address', () => {
  expect(networkOf('2001:db8:1:2::1')).toBe(networkOf('2001:db8:1:2:ffff::9'));
  expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'));
  expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1');
});

test('a released connection frees its slot', () => {
  const connectionLimiter = createConnectionLimiter({
    maxConnections: 3,
    maxPerAddress: 2,
    maxPerLogIn: 1,
    maxPerAccount: 2,
    maxPortsPerAccount: 1,
  });
  const [first, second] = [connectionLimiter.enter('192.0.2.1'), connectionLimiter.enter('192.0.2.1')];
  expect([first, second].every(Boolean)).toBe(true);
  expect(connectionLimiter.enter('192.0.2.1')).toBeNull();
  expect(connectionLimiter.enter('192.0.2.2')).not.toBeNull();
  expect(connectionLimiter.enter('192.0.2.3')).toBeNull();
  first?.();
  expect(connectionLimiter.enter('192.0.2.1')).not.toBeNull();
});

test('log-ins are counted by drop and by account, and a refused one holds no slot', () => {
  const connectionLimiter = createConnectionLimiter({
    maxConnections: 9,
    maxPerAddress: 9,
    maxPerLogIn: 1,
    maxPerAccount: 2,
    maxPortsPerAccount: 1,
  });
  const drop = (accountId: number, dropId: number) => connectionLimiter.logIn({ accountId, dropId });
  const first = drop(1, 1001);
  expect(drop(1, 1001)).toBeNull();
  expect(drop(2, 1001)).not.toBeNull();
  const second = drop(1, 1002);
  expect(second).not.toBeNull();
  expect(drop(1, 1003)).toBeNull();
  first?.();
  expect(drop(1, 1002)).toBeNull();
  expect(drop(1, 1001)).not.toBeNull();
});
