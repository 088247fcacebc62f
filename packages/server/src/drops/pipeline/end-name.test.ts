import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findFreeNumber } from '../files/unique-location.js';
import { cleanName } from '../servers/paths.js';
import { numberedName } from './end-file.js';

test('what ends has a name by which its client can fetch it, and why it failed, however long it is', () => {
  const part = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 });
  const names = fc
    .tuple(part, fc.constantFrom('', '.jpg', '.CR2'))
    .map(([stem, ending]) => `${stem}${ending}`)
    .map((name) => cleanName(name));
  fc.assert(
    fc.property(names, fc.integer({ min: 1, max: 1_000_000 }), (name, number) => {
      const ended = numberedName(name, number);
      expect(cleanName(`${ended}.txt`)).toBe(`${ended}.txt`);
      if (number > 1) expect(ended).toContain(` (${number})`);
      else if (Buffer.byteLength(name) <= 251) expect(ended).toBe(name);
    }),
  );
});

test('a free number is found in few looks, however many are taken, and in order', async () => {
  for (const taken of [0, 1, 2, 3, 7, 8, 100, 100_000]) {
    let looks = 0;
    const isFree = async (number: number) => {
      looks += 1;
      return number > taken;
    };
    expect(await findFreeNumber(isFree)).toBe(taken + 1);
    expect(looks).toBeLessThan(40);
  }
});
