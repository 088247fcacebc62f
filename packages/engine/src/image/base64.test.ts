import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeBase64 } from './base64.js';

test('every way to write base64 gives the bytes back', () => {
  const spelling = fc.record({
    alphabet: fc.constantFrom('base64', 'base64url'),
    padded: fc.boolean(),
    lineChars: fc.integer({ min: 1, max: 80 }),
    lineBreak: fc.constantFrom('', '\n', '\r\n', ' \t'),
    prefix: fc.constantFrom('', 'data:image/jpeg;base64,', '  DATA:image/svg+xml;charset=utf-8;BASE64,'),
  });
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), spelling, (bytes, how) => {
      const unpadded = Buffer.from(bytes).toString(how.alphabet).replaceAll('=', '');
      const padded = how.padded ? unpadded.padEnd(Math.ceil(unpadded.length / 4) * 4, '=') : unpadded;
      const lines = padded.match(new RegExp(`.{1,${how.lineChars}}`, 'g')) ?? [];
      const text = how.prefix + lines.join(how.lineBreak);
      expect(decodeBase64(Buffer.from(text))).toEqual(Buffer.from(bytes));
    }),
  );
});

describe('spaces in the place of plus signs', () => {
  const bytes = Buffer.from(Array.from({ length: 3000 }, (_, nth) => (nth * nth * 31 + nth * 7) & 0xff));
  const text = bytes.toString('base64');
  const lost = text.replaceAll('+', ' ');
  test.each([
    ['a text of one line', lost],
    ['without padding', lost.replace(/=+$/, '')],
    ['behind the start of a data address', `data:image/jpeg;name=a.jpg;base64,${lost}`],
    ['with white space at both ends', `\n  ${lost} `],
    ['in lines', lost.replace(/(\S{30}\S*?)(?=\S\S)/g, '$1\r\n')],
  ])('are read: %s', (_name, changed) => {
    expect(text).toContain('+');
    expect(decodeBase64(Buffer.from(changed))?.equals(bytes)).toBe(true);
  });
  test('are read one alone and side by side', () => {
    for (const [changed, plain] of [
      ['/9j A===', undefined],
      ['ABC DA', 'ABC+DA'],
      ['A  D/AAA AAA', 'A++D/AAA+AAA'],
    ] as const) {
      const expected = plain === undefined ? undefined : Buffer.from(plain, 'base64');
      expect(decodeBase64(Buffer.from(changed))).toEqual(expected);
    }
  });
  test('are white space beside plus signs, at equal distances and as indentation', () => {
    const long = Buffer.alloc(600, 1);
    const plain = long.toString('base64');
    for (const changed of [
      text.replace(/(.{70})/g, '$1 '),
      text.replace(/(.{7})/, '$1 ').replace(/(.{300})/, '$1 '),
      plain.replace(/(.{80})/g, '$1 '),
      plain.replace(/(.{76})/g, '$1\n  '),
      plain.replace(/(.{76})/g, '$1 \n'),
    ]) {
      expect([text, plain]).toContain(decodeBase64(Buffer.from(changed))?.toString('base64'));
    }
  });
});

describe('what is not base64 is rejected', () => {
  test.each([
    ['a stray character', 'QUJ$'],
    ['a stray character beyond ASCII', 'QUJDéQ=='],
    ['a length that no bytes have', 'QUJDR'],
    ['padding in the middle', 'QQ==QUJD'],
    ['too much padding', 'QUJD===='],
    ['padding alone', '='],
    ['a data address that is not base64', 'data:image/png,QUJD'],
    ['a data address without end', `data:${'x'.repeat(400)},QUJD`],
    ['a stray character between blocks', 'AAAA*AAA'],
    ['padding first', '=AAA'],
    ['an address', 'http://example.org/'],
    ['JSON', '{"a": 1}'],
  ])('%s', (_name, text) => {
    expect(decodeBase64(Buffer.from(text))).toBeUndefined();
  });
});

test('a text longer than a piece is decoded whole, and one wrong character in it is found', () => {
  const bytes = Buffer.from(Array.from({ length: 200_003 }, (_, index) => (index * 7919) & 0xff));
  const text = bytes.toString('base64');
  expect(decodeBase64(Buffer.from(text))?.equals(bytes)).toBe(true);
  expect(decodeBase64(Buffer.from(text.replace(/(.{76})/g, '$1\n')))?.equals(bytes)).toBe(true);
  for (const at of [10, 49_151, 49_152, 150_000]) {
    expect(decodeBase64(Buffer.from(`${text.slice(0, at)}*${text.slice(at + 1)}`))).toBeUndefined();
    expect(decodeBase64(Buffer.from(`${text.slice(0, at)}=${text.slice(at + 1)}`))).toBeUndefined();
  }
});

test.each([`${'='.repeat(1_000_000)}A`, ' '.repeat(1_000_000), 'A '.repeat(500_000), '='.repeat(1_000_000)])(
  'decoding takes time in proportion to the length, whatever the text is',
  (text) => {
    const before = process.cpuUsage();
    decodeBase64(Buffer.from(text));
    // CPU time, which other load on the machine does not change.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
  },
);
