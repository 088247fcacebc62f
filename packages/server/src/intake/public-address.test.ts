import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isAllowedAddress, parseNetworks } from './public-address.js';

describe('an address that images may be fetched from', () => {
  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '93.184.216.34',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.0.1',
    '172.32.0.1',
    '198.17.255.255',
    '198.20.0.1',
    '223.255.255.255',
    '168.63.129.17',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
    '2400:cb00::1',
  ])('%s is public', (address) => {
    expect(isAllowedAddress(address, [])).toBe(true);
  });

  test.each([
    ['unspecified', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['private', '10.1.2.3'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.0.1'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['metadata', '100.100.100.200'],
    ['link-local', '169.254.0.1'],
    ['metadata', '169.254.169.254'],
    ['metadata', '168.63.129.16'],
    ['metadata', '192.0.0.192'],
    ['protocol', '192.0.0.8'],
    ['documentation', '192.0.2.1'],
    ['documentation', '198.51.100.1'],
    ['documentation', '203.0.113.9'],
    ['6to4 relay', '192.88.99.1'],
    ['AS112', '192.31.196.1'],
    ['AS112', '192.175.48.1'],
    ['AMT', '192.52.193.1'],
    ['benchmark', '198.18.0.1'],
    ['benchmark', '198.19.255.255'],
    ['multicast', '224.0.0.1'],
    ['multicast', '239.255.255.250'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['IPv4-mapped', '::ffff:127.0.0.1'],
    ['IPv4-mapped, public', '::ffff:8.8.8.8'],
    ['IPv4-compatible', '::127.0.0.1'],
    ['IPv4-translated', '::ffff:0:127.0.0.1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['local NAT64', '64:ff9b:1::7f00:1'],
    ['6to4', '2002:7f00:1::'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['ORCHID', '2001:20::1'],
    ['benchmark', '2001:2::1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff::1'],
    ['unique local', 'fc00::1'],
    ['metadata', 'fd00:ec2::254'],
    ['link-local', 'fe80::1'],
    ['zone id', 'fe80::1%eth0'],
    ['zone id on a public address', '2606:4700::1%eth0'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['ISATAP', '2606:4700::5efe:127.0.0.1'],
    ['ISATAP', '2606:4700::200:5efe:10.0.0.1'],
    ['discard', '100::1'],
    ['6bone', '3ffe::1'],
    ['SRv6', '5f00::1'],
    ['reserved', '4000::1'],
    ['no address', 'localhost'],
    ['no address', ''],
  ])('%s %s is not', (_kind, address) => {
    expect(isAllowedAddress(address, [])).toBe(false);
  });

  test('a network that the settings name is allowed, and no other form of it', () => {
    const allowed = parseNetworks('fetchAllowedNetworks', '127.0.0.1/32, fd00:1::/32');
    expect(isAllowedAddress('127.0.0.1', allowed)).toBe(true);
    expect(isAllowedAddress('127.0.0.2', allowed)).toBe(false);
    expect(isAllowedAddress('::ffff:127.0.0.1', allowed)).toBe(false);
    expect(isAllowedAddress('fd00:1::5', allowed)).toBe(true);
    expect(() => parseNetworks('fetchAllowedNetworks', '10.0.0.0')).toThrow('fetchAllowedNetworks: 10.0.0.0');
  });

  test('no text makes the check throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6()), (text) => {
        expect(typeof isAllowedAddress(text, [])).toBe('boolean');
      }),
    );
  });
});
