import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mostCpuBetweenTurns } from '../../core/fixtures/cpu-between-turns.js';
import { createPauses } from '../../core/work-pauses.js';
import { assignSplits, type SplitImage } from './split.js';

const noPause = () => undefined;

const images = fc.array(
  fc.record({
    sha256: fc.nat(0xffffffff).map((hash) => hash.toString(16)),
    split: fc.constant(null),
    classes: fc.uniqueArray(fc.nat(3), { maxLength: 2 }),
    group: fc.nat(1000),
  }),
  { maxLength: 60 },
);

test('any images are split the same way each time, those of a group to one side, and none moves later', async () => {
  await fc.assert(
    fc.asyncProperty(
      images,
      images,
      fc.double({ min: 0, max: 0.9, noNaN: true }),
      async (first, later, share) => {
        const splits = await assignSplits(first, share, noPause);
        expect(await assignSplits(first, share, noPause)).toEqual(splits);
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
        const withLater = await assignSplits([...kept, ...later], share, noPause);
        expect(withLater.slice(0, first.length)).toEqual(splits);
      },
    ),
  );
});

test('50,000 images, half of them near duplicates, let other work run in between', async () => {
  const all = Array.from({ length: 50_000 }, (_, index) => ({
    sha256: createHash('sha256').update(String(index)).digest('hex'),
    split: null,
    group: Math.min(index, 25_000),
    classes: [index % 2],
  }));
  const { most } = await mostCpuBetweenTurns(() => assignSplits(all, 0.2, createPauses()));
  expect(most).toBeLessThan(40);
});

test('of every class that has five images a fifth is held out', async () => {
  const all = Array.from({ length: 100 }, (_, index) => ({
    sha256: String((index * 7919) % 1000),
    split: null,
    group: index,
    classes: [index % 4],
  }));
  const splits = await assignSplits(all, 0.2, noPause);
  for (const name of [0, 1, 2, 3]) {
    const held = all.filter(({ classes }, index) => classes[0] === name && splits[index] === 'held-out');
    expect(held).toHaveLength(5);
  }
});
