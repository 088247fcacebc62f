import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Fingerprints } from './fingerprints.js';
import { groupNear } from './group-near.js';

function groupsOf(texts: readonly string[]): readonly number[] {
  const fingerprints = new Fingerprints();
  for (const text of texts) fingerprints.push(text);
  return [...groupNear(fingerprints.toBits())];
}

test('groups are of images that are near each other, also through a third', () => {
  const fingerprints = ['f'.repeat(32), `00${'f'.repeat(30)}`, `0000${'f'.repeat(28)}`, '0'.repeat(32)];
  const groups = groupsOf([...fingerprints, 'f'.repeat(32)]);
  expect(groups[0]).toBe(groups[1]);
  expect(groups[0]).toBe(groups[2]);
  expect(groups[0]).toBe(groups[4]);
  expect(groups[0]).not.toBe(groups[3]);
});

test('groups are those of a comparison of all with all', () => {
  const start = 2 ** 32 - 1;
  // Ones of 0 to 31 bits: near are those whose numbers differ by 12 at most.
  const few = fc.array(fc.nat(31), { maxLength: 12 });
  fc.assert(
    fc.property(few, (bits) => {
      const texts = bits.map((count) => ((start << count) >>> 0).toString(16).padStart(32, '0'));
      const groups = groupsOf(texts);
      const inOrder = [...bits].sort((a, b) => a - b);
      const isApart = (one: number, other: number) =>
        inOrder.some((count, at) => {
          const next = inOrder[at + 1] ?? count;
          return next - count > 12 && Math.min(one, other) <= count && Math.max(one, other) >= next;
        });
      for (const [at, one] of bits.entries()) {
        for (const [beside, other] of bits.entries()) {
          expect(groups[at] === groups[beside]).toBe(!isApart(one, other));
        }
      }
    }),
    { numRuns: 200 },
  );
});
