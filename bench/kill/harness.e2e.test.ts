import { afterEach, expect, test, vi } from 'vitest';
import { randomOf } from './chance.js';
import { findingsOf, playRounds, requireRounds } from './rounds.js';
import { untilNone, untilTrue } from './until.js';

afterEach(() => vi.restoreAllMocks());

/** A round that finds something when its number is 1. */
const play = async (index: number, isLast: boolean) => ({
  line: `killed ${isLast ? 'last' : 'before'}`,
  findings: index === 1 ? ['key 7 is gone'] : [],
});

test('each round is reported by its number and what it found, and a finding with the seed', async () => {
  const [lines, said]: string[][] = [[], []];
  vi.spyOn(console, 'error').mockImplementation((text) => said?.push(String(text)));
  const rounds = await playRounds(3, (line) => lines?.push(line), play);
  expect(lines).toEqual([
    '  1  killed before; nothing lost',
    '  2  killed before; LOST: key 7 is gone',
    '  3  killed last; nothing lost',
  ]);
  expect(findingsOf(rounds)).toEqual(['key 7 is gone']);
  expect(said).toEqual([expect.stringMatching(/^KILL_SEED=\d+ /)]);
});

test('rounds end at the first finding where that is asked for', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  expect(await playRounds(9, () => undefined, play, true)).toHaveLength(2);
});

test('a seed deals the same numbers again, evenly from 0 to below 1', () => {
  const deal = (seed: number) => {
    const random = randomOf(seed);
    return Array.from({ length: 10_000 }, random);
  };
  const numbers = deal(7);
  expect(deal(7)).toEqual(numbers);
  expect(deal(8)).not.toEqual(numbers);
  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...numbers)).toBeLessThan(1);
  expect(numbers.filter((number) => number < 0.25).length / numbers.length).toBeCloseTo(0.25, 1);
});

test('a search is repeated until it finds nothing or its time is over; with no time, it is done once', async () => {
  const found = [['a', 'b'], ['a'], []];
  expect(await untilNone(async () => found.shift() ?? [], 60_000)).toEqual([]);
  const left = [['c'], []];
  expect(await untilNone(async () => left.shift() ?? [], 0)).toEqual(['c']);
  expect(await untilTrue(() => true, 0)).toBe(true);
  expect(await untilTrue(() => false, 0)).toBe(false);
});

test('a number of rounds below 1, or a fraction, is refused', () => {
  for (const rounds of [0, -1, 1.5, Number.NaN]) expect(() => requireRounds(rounds)).toThrow('--rounds');
  requireRounds(1);
});
