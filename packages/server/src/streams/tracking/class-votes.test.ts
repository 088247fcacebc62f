import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addVotes, type ClassVotes } from './class-votes.js';

const vote = (title: string, score: number) => [{ label: { title }, score }];
const none = (title: string): ClassVotes => ({ label: { title }, weights: new Map() });
const after = (...votes: (readonly [string, number])[]) =>
  votes.reduce((sum, [title, score]) => addVotes(sum, vote(title, score)), none(votes[0]?.[0] ?? ''));

test('the class is the one with most votes, not the last one', () => {
  expect(after(['car', 0.8], ['car', 0.7], ['truck', 0.9]).label.title).toBe('car');
  expect(after(['truck', 0.4], ['car', 0.7], ['car', 0.7]).label.title).toBe('car');
});

test('two classes in turns leave the first one', () => {
  const turns = Array.from({ length: 40 }, (_, index) => [index % 2 === 0 ? 'car' : 'truck', 0.6] as const);
  for (let count = 1; count <= turns.length; count++)
    expect(after(...turns.slice(0, count)).label.title).toBe('car');
});

test('hours of one class are outvoted by some forty looks of another', () => {
  let votes = none('car');
  for (let look = 0; look < 10_000; look++) votes = addVotes(votes, vote('car', 0.8));
  let looks = 0;
  while (votes.label.title === 'car') {
    votes = addVotes(votes, vote('truck', 0.8));
    looks += 1;
  }
  expect(looks).toBeGreaterThan(5);
  expect(looks).toBeLessThan(40);
});

test('the sums do not depend on the order of few looks, and are never more than twenty', () => {
  const look = fc.tuple(fc.constantFrom('car', 'truck', 'bus'), fc.double({ min: 0.1, max: 1, noNaN: true }));
  fc.assert(
    fc.property(fc.array(look, { minLength: 1, maxLength: 19 }), (looks) => {
      const [there, back] = [after(...looks), after(...[...looks].reverse())];
      for (const title of ['car', 'truck', 'bus'])
        expect(there.weights.get(title) ?? 0).toBeCloseTo(back.weights.get(title) ?? 0, 9);
      const more = after(...looks, ...looks, ...looks, ...looks);
      expect([...more.weights.values()].reduce((sum, weight) => sum + weight, 0)).toBeLessThan(20.001);
    }),
  );
});
