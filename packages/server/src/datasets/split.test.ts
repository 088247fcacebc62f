import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Fingerprints, groupNear } from './fingerprints.js';
import { assignSplits, type SplitImage } from './split.js';

const images = fc.array(
  fc.record({
    sha256: fc.nat(0xffffffff).map((hash) => hash.toString(16)),
    split: fc.constant(null),
    classes: fc.uniqueArray(fc.nat(3), { maxLength: 2 }),
    group: fc.nat(1000),
  }),
  { maxLength: 60 },
);

test('any images are split the same way each time, those of a group to one side, and none moves later', () => {
  fc.assert(
    fc.property(images, images, fc.double({ min: 0, max: 0.9, noNaN: true }), (first, later, share) => {
      const splits = assignSplits(first, share);
      expect(assignSplits(first, share)).toEqual(splits);
      const sides = new Map<number, string>();
      first.forEach(({ group }, index) => {
        const side = sides.get(group) ?? splits[index];
        sides.set(group, side ?? '');
        expect(splits[index]).toBe(side);
      });
      const kept: SplitImage[] = first.map((image, index) => ({
        ...image,
        split: splits[index] ?? null,
      }));
      expect(assignSplits([...kept, ...later], share).slice(0, first.length)).toEqual(splits);
    }),
  );
});

test('of every class that has five images a fifth is held out', () => {
  const all = Array.from({ length: 100 }, (_, index) => ({
    sha256: String((index * 7919) % 1000),
    split: null,
    group: index,
    classes: [index % 4],
  }));
  const splits = assignSplits(all, 0.2);
  for (const name of [0, 1, 2, 3]) {
    const held = all.filter(({ classes }, index) => classes[0] === name && splits[index] === 'held-out');
    expect(held).toHaveLength(5);
  }
});

test('groups are of images that are near each other, also through a third', async () => {
  const fingerprints = new Fingerprints();
  for (const text of ['f'.repeat(32), `00${'f'.repeat(30)}`, `0000${'f'.repeat(28)}`, '0'.repeat(32)])
    fingerprints.push(text);
  const groups = await groupNear(fingerprints, async () => {});
  expect(groups[0]).toBe(groups[1]);
  expect(groups[0]).toBe(groups[2]);
  expect(groups[0]).not.toBe(groups[3]);
  expect(fingerprints.nearest(`0${'f'.repeat(31)}`)).toEqual({ index: 0, bits: 4 });
});
