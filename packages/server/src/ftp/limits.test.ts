import { expect, test } from 'vitest';
import { networkOf } from './addresses.js';
import { createConnectionLimiter, createLogInThrottle } from './limits.js';

const limits = {
  maxPerConnection: 3,
  maxPerAddress: 4,
  forgetMs: 60_000,
  banMs: 600_000,
  firstDelayMs: 500,
  maxDelayMs: 1500,
};

test('an address with failed log-ins waits longer each time, is banned, and is admitted after the ban', () => {
  let now = 0;
  const logInThrottle = createLogInThrottle(limits, () => now);
  const wrong = () => logInThrottle.recordFailure('192.0.2.1');
  expect([wrong(), wrong(), wrong()]).toEqual([
    { delayMs: 500, isBanned: false },
    { delayMs: 1000, isBanned: false },
    { delayMs: 1500, isBanned: false },
  ]);
  expect(logInThrottle.isBanned('192.0.2.1')).toBe(false);
  expect(wrong().isBanned).toBe(true);
  expect(logInThrottle.isBanned('::ffff:192.0.2.1')).toBe(true);
  expect(logInThrottle.isBanned('192.0.2.2')).toBe(false);
  now = 599_999;
  expect(logInThrottle.isBanned('192.0.2.1')).toBe(true);
  now = 600_001;
  expect(logInThrottle.isBanned('192.0.2.1')).toBe(false);
  expect(wrong()).toEqual({ delayMs: 500, isBanned: false });
});

test('old failures expire, and a success cancels one failure', () => {
  let now = 0;
  const logInThrottle = createLogInThrottle(limits, () => now);
  logInThrottle.recordFailure('192.0.2.1');
  logInThrottle.recordFailure('192.0.2.1');
  logInThrottle.recordSuccess('192.0.2.1');
  expect(logInThrottle.recordFailure('192.0.2.1').delayMs).toBe(1000);
  now = 60_000;
  expect(logInThrottle.recordFailure('192.0.2.1').delayMs).toBe(500);
});

test('failures of a hundred thousand addresses take bounded memory', () => {
  const logInThrottle = createLogInThrottle(limits, () => 0);
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < 100_000; index++) {
    logInThrottle.recordFailure(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`);
  }
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(30_000_000);
});

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
