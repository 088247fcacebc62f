import { expect, test } from 'vitest';
import { type Comparison, compareOnKind } from './evaluate.js';
import { addCounts, idf1 } from './mot-metrics.js';
import { byVotes, judgeNames, majority, simulateFaceTracks } from './names.js';
import { sceneKinds } from './scenes.js';

/** Least IDF1, and least lead over greedy matching, on three scenes each: some .1 below what is measured. */
const expected: Readonly<Record<string, readonly [idf1: number, lead: number]>> = {
  crossing: [0.6, 0.25],
  pillars: [0.5, 0.2],
  slow: [0.6, 0.3],
  returning: [0.6, 0.3],
  shaking: [0.85, 0.3],
  flipping: [0.75, 0.25],
};

const both = (comparisons: readonly Comparison[]) => ({
  ours: addCounts(comparisons.map(({ ours }) => ours)),
  greedy: addCounts(comparisons.map(({ greedy }) => greedy)),
});

test.each(Object.entries(expected))('tracks keep their identities: %s', (name, [least, lead]) => {
  const kind = sceneKinds.find((each) => each.name === name);
  if (!kind) throw new Error(`no scenes of ${name}`);
  const { ours, greedy } = both([201, 202, 203].map((seed) => compareOnKind(kind, seed)));
  expect(idf1(ours)).toBeGreaterThan(least);
  expect(idf1(ours)).toBeGreaterThan(idf1(greedy) + lead);
  expect(ours.switches).toBeLessThan(greedy.switches);
});

test('votes name fewer people wrongly than the majority of looks, and hardly a stranger', () => {
  const tracks = simulateFaceTracks(600, 0.15, 201);
  const [votes, most] = [judgeNames(tracks, byVotes()), judgeNames(tracks, majority)];
  expect(votes.right).toBeGreaterThan(0.93);
  expect(votes.everWrong).toBeLessThan(0.03);
  expect(votes.strangersEverNamed).toBeLessThan(0.03);
  expect(most.strangersEverNamed).toBeGreaterThan(0.3);
});
