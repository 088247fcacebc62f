import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Fingerprints } from './fingerprints.js';
import { countOnes, NearIndex, nearBits, toKey } from './near-index.js';

const hex = (words: readonly number[]) =>
  words.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
const random = fc.array(fc.nat(0xffffffff), { minLength: 4, maxLength: 4 });
/** A few fingerprints, and changes of up to 30 bits of them. */
const fingerprints = fc
  .tuple(
    fc.array(random, { minLength: 1, maxLength: 4 }),
    fc.array(fc.tuple(fc.nat(3), fc.array(fc.nat(127), { maxLength: 30 })), { maxLength: 60 }),
  )
  .map(([bases, changes]) =>
    changes.map(([base, bits]) => {
      const words = [...(bases[base % bases.length] ?? [])];
      for (const bit of bits) words[bit >>> 5] = (words[bit >>> 5] ?? 0) ^ (1 << (bit & 31));
      return hex(words);
    }),
  );

function keyOf(fingerprint: string) {
  const one = new Fingerprints();
  one.push(fingerprint);
  return toKey(one.toBits(), 0);
}

function differing(one: string, other: string): number {
  let bits = 0;
  for (let at = 0; at < 32; at += 8) {
    bits += countOnes(
      Number.parseInt(one.slice(at, at + 8), 16) ^ Number.parseInt(other.slice(at, at + 8), 16),
    );
  }
  return bits;
}

test('finds the first that a comparison of all with all finds, also but for some', () => {
  fc.assert(
    fc.property(fingerprints, fc.nat(2), (all, except) => {
      const index = new NearIndex();
      const entries: string[] = [];
      const labels = Int32Array.from(all, (_, entry) => entry % 3);
      for (const fingerprint of all) {
        const key = keyOf(fingerprint);
        const near = entries.map((each) => differing(each, fingerprint) <= nearBits);
        expect(index.firstNear(key) ?? -1).toBe(near.indexOf(true));
        expect(index.firstNear(key, labels, except) ?? -1).toBe(
          near.findIndex((isNear, entry) => isNear && entry % 3 !== except),
        );
        const equal = entries.indexOf(fingerprint);
        expect(index.add(key)).toBe(equal < 0 ? entries.length : equal);
        if (equal < 0) entries.push(fingerprint);
      }
    }),
    { numRuns: 300 },
  );
});

/** The same numbers each time (Marsaglia's xorshift32). */
function* numbers(): Generator<number, never> {
  for (let state = 2463534242; ; ) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    yield state >>> 0;
  }
}

const source = numbers();
const random32 = () => source.next().value;
const base = [1, 2, 3, 4].map(random32);

test.each([
  ['different', () => hex(base.map(random32))],
  ['equal', () => 'f'.repeat(32)],
  ['near', () => hex(base.map((word) => word ^ (1 << (random32() & 31))))],
])('20,000 %s fingerprints take less than a fifth of the time of comparing all with all', (_name, next) => {
  const all = Array.from({ length: 20_000 }, next);
  const cpuMsOf = (work: () => void) => {
    const start = process.cpuUsage();
    work();
    return process.cpuUsage(start).user / 1000;
  };
  const linear = new Fingerprints();
  // None is near these: the search of them has no early end.
  for (const fingerprint of all) linear.push(fingerprint.replaceAll('f', '0'));
  const some = Array.from({ length: 200 }, () => hex(base.map(random32)));
  const someMs = cpuMsOf(() => {
    for (const fingerprint of some) linear.nearest(fingerprint);
  });
  const index = new NearIndex();
  const allMs = cpuMsOf(() => {
    for (const fingerprint of all) {
      const key = keyOf(fingerprint);
      index.firstNear(key);
      index.add(key);
    }
  });
  // Of each pair one compares with the other.
  expect(allMs).toBeLessThan((someMs * (all.length / some.length)) / 2 / 5);
});
