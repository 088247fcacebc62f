import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { expect, test } from 'vitest';
import { binaryHeader, textHeader } from './fixtures/proxy-headers.js';
import { parseProxyHeader } from './proxy-header.js';

const ipv4 = fc.ipV4();
const ipv6 = fc.ipV6();
const plain = (address: string) => ipaddr.process(address).toString();
const cases = { numRuns: 2000 };

test('a header of either version gives the addresses, whatever follows it', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(textHeader, binaryHeader),
      fc.oneof(fc.tuple(ipv4, ipv4), fc.tuple(ipv6, ipv6)),
      fc.uint8Array({ maxLength: 300 }),
      (write, [client, reached], rest) => {
        const header = write(client, reached);
        expect(parseProxyHeader(Buffer.concat([header, rest]))).toEqual({
          lengthBytes: header.length,
          addresses: { client: plain(client), reached: plain(reached) },
        });
      },
    ),
    cases,
  );
});

test('each part of a header is incomplete, so that it may arrive byte by byte', () => {
  for (const header of [
    textHeader('192.0.2.1', '198.51.100.7'),
    textHeader('2001:db8::1', '2001:db8::2'),
    binaryHeader('192.0.2.1', '198.51.100.7', Buffer.from('0300041234567890', 'hex')),
    binaryHeader('2001:db8::1', '2001:db8::2'),
  ]) {
    for (let length = 0; length < header.length; length++) {
      expect([length, parseProxyHeader(header.subarray(0, length))]).toEqual([length, 'incomplete']);
    }
  }
});

test('any bytes give a header within its limits, a wish for more below them, or a refusal', () => {
  const almost = fc
    .tuple(
      fc.constantFrom(textHeader('192.0.2.1', '192.0.2.2'), binaryHeader('192.0.2.1', '192.0.2.2')),
      fc.nat({ max: 60 }),
      fc.nat({ max: 255 }),
    )
    .map(([header, at, byte]) => {
      const changed = Buffer.from(header);
      changed[at % changed.length] = byte;
      return changed;
    });
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 5000 }), almost), (bytes) => {
      const parsed = parseProxyHeader(Buffer.from(bytes));
      if (parsed === 'incomplete') expect(bytes.length).toBeLessThan(4096);
      else if (parsed !== 'malformed') expect(parsed.lengthBytes).toBeLessThanOrEqual(bytes.length);
    }),
    cases,
  );
});

test('connections of the proxy itself have no addresses', () => {
  for (const [bytes, lengthBytes] of [
    ['PROXY UNKNOWN\r\n', 15],
    ['PROXY UNKNOWN ffff:f...f:ffff anything 1 2\r\nUSER', 44],
  ] as const) {
    expect(parseProxyHeader(Buffer.from(bytes))).toEqual({ lengthBytes, addresses: null });
  }
  const local = binaryHeader('192.0.2.1', '192.0.2.2');
  local[12] = 0x20;
  expect(parseProxyHeader(local)).toEqual({ lengthBytes: 28, addresses: null });
  const unspecified = Buffer.from('0d0a0d0a000d0a515549540a21000000', 'hex');
  expect(parseProxyHeader(unspecified)).toEqual({ lengthBytes: 16, addresses: null });
});

test.each([
  'USER camera\r\n',
  'proxy TCP4 192.0.2.1 192.0.2.2 1 2\r\n',
  'PROXY TCP4 192.0.2.1 192.0.2.2 1 2 3\r\n',
  'PROXY TCP4 192.0.2.1 192.0.2.2 1\r\n',
  'PROXY TCP4  192.0.2.1 192.0.2.2 1 2\r\n',
  'PROXY TCP4 192.0.2.1 192.0.2.2 1 65536\r\n',
  'PROXY TCP4 192.0.2.1 192.0.2.2 01 2\r\n',
  'PROXY TCP4 192.0.2.256 192.0.2.2 1 2\r\n',
  'PROXY TCP4 192.0.2.01 192.0.2.2 1 2\r\n',
  'PROXY TCP4 2001:db8::1 2001:db8::2 1 2\r\n',
  'PROXY TCP6 192.0.2.1 192.0.2.2 1 2\r\n',
  'PROXY TCP6 fe80::1%eth0 2001:db8::2 1 2\r\n',
  'PROXY UDP4 192.0.2.1 192.0.2.2 1 2\r\n',
  `PROXY UNKNOWN ${'x'.repeat(92)}\r\n`,
  `PROXY TCP4 ${'1'.repeat(100)}`,
])('%j is malformed', (text) => {
  expect(parseProxyHeader(Buffer.from(text))).toBe('malformed');
});

test.each([
  ['another version', 12, 0x11],
  ['an unknown command', 12, 0x22],
  ['UDP', 13, 0x12],
  ['a local socket', 13, 0x31],
  ['a length below its addresses', 15, 11],
  ['a length above 4096 bytes', 14, 0x10],
])('a header of version 2 with %s is malformed', (_what, at, byte) => {
  const header = binaryHeader('192.0.2.1', '192.0.2.2');
  header[at] = byte;
  expect(parseProxyHeader(header)).toBe('malformed');
});
