import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findPublicAddress, parseExtendedPort, parsePort, parsePublicAddresses } from './addresses.js';

describe('the address of an active data connection', () => {
  test.each([
    ['127,0,0,1,4,1', { address: '127.0.0.1', port: 1025 }],
    ['127,0,0,1,4', null],
    ['256,0,0,1,4,1', null],
    ['127,0,0,1,4,-1', null],
    ['127,0,0,1,,1', null],
    ['localhost', null],
  ])('PORT %s', (text, expected) => {
    expect(parsePort(text)).toEqual(expected);
  });

  test.each([
    ['|1|132.235.1.2|6275|', { address: '132.235.1.2', port: 6275 }],
    ['!2!1080::8:800:200C:417A!5282!', { address: '1080::8:800:200c:417a', port: 5282 }],
    ['|3|x|1|', 'protocol'],
    ['|1|::1|5282|', null],
    ['|2|127.0.0.1|5282|', null],
    ['|1|127.0.0.1|65536|', null],
    ['|1|localhost|6275|', null],
    ['', null],
  ])('EPRT %s', (text, expected) => {
    expect(parseExtendedPort(text)).toEqual(expected);
  });

  test('is parsed without an exception for arbitrary text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        parsePort(text);
        parseExtendedPort(text);
      }),
    );
  });
});

test('the public address is that of the first network that contains the client', () => {
  const list = parsePublicAddresses('10.0.0.0/8=10.1.2.3, fd00::/8=10.1.2.4, 203.0.113.5');
  expect(findPublicAddress(list, '10.9.9.9')).toBe('10.1.2.3');
  expect(findPublicAddress(list, '::ffff:10.9.9.9')).toBe('10.1.2.3');
  expect(findPublicAddress(list, 'fd00::1')).toBe('10.1.2.4');
  expect(findPublicAddress(list, '8.8.8.8')).toBe('203.0.113.5');
  expect(findPublicAddress([], '8.8.8.8')).toBeNull();
  for (const wrong of ['x', '10.0.0.0/8', '10.0.0.0/8=x', '10.0.0.0/40=10.0.0.1', '::1']) {
    expect(() => parsePublicAddresses(wrong)).toThrow(/10\.0\.0\.0\/8=10\.1\.2\.3/);
  }
});
