import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createImageLinks } from './image-links.js';

let nowMs = 1_700_000_000_000;
const links = createImageLinks({ secrets: [Buffer.alloc(32, 7)], clock: () => nowMs });

test('a link opens its own image for an hour', () => {
  const token = links.sign(3, 1001);
  expect(links.verify(token)).toEqual({ accountId: 3, imageId: 1001 });
  nowMs += 3_599_000;
  expect(links.verify(token)).not.toBeNull();
  nowMs += 2000;
  expect(links.verify(token)).toBeNull();
});

test('a link of ours that ends later than an hour from now opens nothing', () => {
  const token = links.sign(3, 1001);
  const open = (beforeMs: number) => {
    nowMs -= beforeMs;
    const opened = links.verify(token);
    nowMs += beforeMs;
    return opened;
  };
  // Another service's clock may be a little ahead.
  expect(open(30_000)).not.toBeNull();
  expect(open(3_600_000)).toBeNull();
  expect(open(10 * 365 * 86_400_000)).toBeNull();
});

test('no other link opens anything', () => {
  const token = links.sign(3, 1001);
  const [, ...rest] = token.split('.');
  expect(links.verify(['4', ...rest].join('.'))).toBeNull();
  const strange = createImageLinks({ secrets: [Buffer.alloc(32, 8)], clock: () => nowMs });
  expect(strange.verify(token)).toBeNull();
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.constantFrom(...'AB01_-.'), (at, character) => {
      const changed = token.slice(0, at) + character + token.slice(at + 1);
      // The last character of 43 carries four bits of no meaning's worth.
      if (changed === token || at === token.length - 1) return;
      expect(links.verify(changed)).toBeNull();
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(links.verify(text)).toBeNull();
    }),
  );
});
