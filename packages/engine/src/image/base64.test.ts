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
      expect(decodeBase64(how.prefix + lines.join(how.lineBreak))).toEqual(Buffer.from(bytes));
    }),
  );
});

describe('what is not base64 is refused', () => {
  test.each([
    ['a stray character', 'QUJ$'],
    ['a stray character beyond ASCII', 'QUJDéQ=='],
    ['a length that no bytes have', 'QUJDR'],
    ['padding in the middle', 'QQ==QUJD'],
    ['too much padding', 'QUJD===='],
    ['padding alone', '='],
    ['a data address that is not base64', 'data:image/png,QUJD'],
    ['a data address without end', `data:${'x'.repeat(400)},QUJD`],
    ['JSON', '{"a": 1}'],
  ])('%s', (_name, text) => {
    expect(() => decodeBase64(text)).toThrow(expect.objectContaining({ code: 'base64-invalid' }));
  });
});
