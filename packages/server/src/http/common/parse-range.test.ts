import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRange } from './parse-range.js';

test.each([
  ['bytes=0-0', { fromBytes: 0, toBytes: 1 }],
  ['bytes=10-', { fromBytes: 10, toBytes: 100 }],
  ['bytes=10-19', { fromBytes: 10, toBytes: 20 }],
  ['bytes=90-1000', { fromBytes: 90, toBytes: 100 }],
  ['bytes=-1', { fromBytes: 99, toBytes: 100 }],
  ['bytes=-1000', { fromBytes: 0, toBytes: 100 }],
  ['Bytes = 5 - 6', { fromBytes: 5, toBytes: 7 }],
  ['bytes=100-', 'none'],
  ['bytes=-0', 'none'],
  ['bytes=9999999999999999-', 'none'],
  ['bytes=20-10', 'whole'],
  ['bytes=0-1,5-6', 'whole'],
  ['bytes=-', 'whole'],
  ['bytes=a-b', 'whole'],
  ['lines=0-1', 'whole'],
  ['', 'whole'],
])('of 100 bytes, %j asks for %j', (header, wanted) => {
  expect(parseRange(header, 100)).toEqual(wanted);
});

test('a part is never empty and always within the file, whatever a client sends', () => {
  const header = fc.oneof(
    fc.string(),
    fc.tuple(fc.nat(), fc.nat()).map(([first, last]) => `bytes=${first}-${last}`),
    fc.nat().map((length) => `bytes=-${length}`),
  );
  fc.assert(
    fc.property(header, fc.nat(1000), (text, sizeBytes) => {
      const part = parseRange(text, sizeBytes);
      if (typeof part === 'string') return;
      expect(part.fromBytes).toBeGreaterThanOrEqual(0);
      expect(part.toBytes).toBeGreaterThan(part.fromBytes);
      expect(part.toBytes).toBeLessThanOrEqual(sizeBytes);
    }),
  );
});

test('of an empty file there is no part', () => {
  expect(parseRange('bytes=0-', 0)).toBe('none');
});
