import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createNameVotes, decideName, type FaceVote, nameDefaults } from './name-votes.js';

const look = (atMs: number, personId: number | null, { similarity = 0.8, quality = 0.8 } = {}): FaceVote => ({
  atMs,
  quality,
  person: personId === null ? null : { personId, name: `person ${personId}`, similarity },
});
const series = (fromMs: number, count: number, personId: number | null, options = {}) =>
  Array.from({ length: count }, (_, index) => look(fromMs + 500 * index, personId, options));
const nameAfter = (votes: readonly FaceVote[]) => {
  const names = createNameVotes();
  for (const vote of votes) names.add(vote);
  return names.person?.personId ?? null;
};

test('looks of two moments that agree give the name, with the mean of their similarity', () => {
  const names = createNameVotes();
  for (const vote of series(0, 4, 7)) names.add(vote);
  expect(names.person).toMatchObject({ personId: 7, name: 'person 7' });
  expect(names.person?.score).toBeCloseTo(0.8, 9);
});

test('no single look decides, however good it is, and no single moment', () => {
  expect(nameAfter([look(0, 7, { similarity: 1, quality: 1 })])).toBeNull();
  expect(nameAfter([0, 50, 100, 150, 200, 250].map((atMs) => look(atMs, 7, { similarity: 1 })))).toBeNull();
  // On both sides of a full second, and yet one moment.
  expect(nameAfter([950, 980, 1010, 1040].map((atMs) => look(atMs, 7, { similarity: 1 })))).toBeNull();
});

test('two people who are seen about as often give no name', () => {
  const mixed = Array.from({ length: 12 }, (_, index) => look(400 * index, 1 + (index % 2)));
  expect(nameAfter(mixed)).toBeNull();
});

test('a stranger who is taken for somebody now and then gets no name', () => {
  const looks = Array.from({ length: 30 }, (_, index) =>
    look(400 * index, index % 4 === 0 ? 7 : null, { similarity: 0.6 }),
  );
  expect(nameAfter(looks)).toBeNull();
});

test('a name stays when the face turns away, and changes when the evidence turns', () => {
  const names = createNameVotes();
  for (const vote of series(0, 6, 1)) names.add(vote);
  for (const vote of series(3000, 20, null, { quality: 0.05 })) names.add(vote);
  expect(names.person?.personId).toBe(1);
  for (const vote of series(20_000, 20, 2)) names.add(vote);
  expect(names.person?.personId).toBe(2);
});

test('a name is withdrawn when good looks keep showing a stranger', () => {
  const names = createNameVotes();
  for (const vote of series(0, 5, 1, { similarity: 0.6 })) names.add(vote);
  expect(names.person?.personId).toBe(1);
  for (const vote of series(3000, 30, null, { quality: 1 })) names.add(vote);
  expect(names.person).toBeNull();
});

test('a refused person loses the name and never wins it again', () => {
  const names = createNameVotes();
  for (const vote of series(0, 6, 1)) names.add(vote);
  names.refuse(1);
  expect(names.person).toBeNull();
  for (const vote of series(5000, 30, 1, { similarity: 0.99 })) names.add(vote);
  expect(names.person).toBeNull();
  for (const vote of series(20_000, 6, 2)) names.add(vote);
  expect(names.person?.personId).toBe(2);
});

const anyVote = fc.record({
  atMs: fc.integer({ min: -5000, max: 60_000 }),
  quality: fc.oneof(fc.double({ min: 0, max: 1 }), fc.constantFrom(-1, 2, Number.NaN)),
  person: fc.option(
    fc.record({
      personId: fc.integer({ min: 1, max: 3 }),
      name: fc.constant('somebody'),
      similarity: fc.oneof(fc.double({ min: 0, max: 1 }), fc.constantFrom(-1, 1, 2, Number.NaN)),
    }),
  ),
});

test('the name does not depend on the order of the looks, and has enough of them', () => {
  fc.assert(
    fc.property(fc.array(anyVote, { maxLength: 40 }), fc.func(fc.integer()), (votes, rank) => {
      const shuffled = votes.map((vote, index) => [rank(index), vote] as const).sort((a, b) => a[0] - b[0]);
      const person = decideName(votes, nameDefaults, null);
      const other = decideName(
        shuffled.map(([, vote]) => vote),
        nameDefaults,
        null,
      );
      expect(other?.personId).toBe(person?.personId);
      if (person === null) return;
      expect(Number.isFinite(person.score)).toBe(true);
      const agreeing = votes
        .filter((vote) => vote.person?.personId === person.personId)
        .map(({ atMs }) => atMs);
      expect(agreeing.length).toBeGreaterThanOrEqual(nameDefaults.minLooks);
      expect(Math.max(...agreeing) - Math.min(...agreeing)).toBeGreaterThanOrEqual(nameDefaults.minApartMs);
    }),
  );
});

test('a refused person never wins, whatever is seen before and after', () => {
  fc.assert(
    fc.property(
      fc.array(anyVote, { maxLength: 30 }),
      fc.array(anyVote, { maxLength: 30 }),
      (before, after) => {
        const names = createNameVotes();
        for (const vote of before) names.add(vote);
        names.refuse(2);
        expect(names.person?.personId).not.toBe(2);
        for (const vote of after) {
          names.add(vote);
          expect(names.person?.personId).not.toBe(2);
        }
      },
    ),
  );
});
