import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assign } from './assign.js';

/** The least sum over every way to pair rows with columns, where a row without a column costs `maxCost`. */
function leastSum(costs: readonly (readonly number[])[], maxCost: number, used = new Set<number>()): number {
  const [first, ...rest] = costs;
  if (first === undefined) return 0;
  let best = maxCost + leastSum(rest, maxCost, used);
  for (const [column, cost] of first.entries()) {
    if (used.has(column) || !(cost < maxCost)) continue;
    used.add(column);
    best = Math.min(best, cost + leastSum(rest, maxCost, used));
    used.delete(column);
  }
  return best;
}

const costMatrix = fc
  .tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 }))
  .chain(([rows, columns]) =>
    fc.array(
      fc.array(
        fc.oneof(
          fc.integer({ min: -2, max: 10 }).map((tenths) => tenths / 10),
          fc.double({ min: 0, max: 1, noNaN: true }),
          fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY),
        ),
        { minLength: columns, maxLength: columns },
      ),
      { minLength: rows, maxLength: rows },
    ),
  );

test('finds the sum that trying every assignment finds, each row and column used once', () => {
  fc.assert(
    fc.property(costMatrix, fc.constantFrom(0.3, 0.7, 1), (costs, maxCost) => {
      const columns = costs[0]?.length ?? 0;
      const pairs = assign(
        costs.length,
        columns,
        (row, column) => costs[row]?.[column] ?? Number.NaN,
        maxCost,
      );
      expect(new Set(pairs.map(({ row }) => row)).size).toBe(pairs.length);
      expect(new Set(pairs.map(({ column }) => column)).size).toBe(pairs.length);
      for (const { row, column, cost } of pairs) {
        expect(cost).toBe(costs[row]?.[column]);
        expect(cost).toBeLessThan(maxCost);
      }
      const sum =
        pairs.reduce((total, { cost }) => total + cost, 0) + maxCost * (costs.length - pairs.length);
      expect(sum).toBeCloseTo(leastSum(costs, maxCost), 9);
    }),
    { numRuns: 1000 },
  );
});

test('a row gives its cheapest column away where the sum is less', () => {
  const costs = [
    [0.1, 0.2],
    [0.15, 0.9],
  ];
  expect(assign(2, 2, (row, column) => costs[row]?.[column] ?? 1, 1)).toEqual([
    { row: 0, column: 1, cost: 0.2 },
    { row: 1, column: 0, cost: 0.15 },
  ]);
});

test('200 rows and columns take milliseconds', () => {
  let state = 1;
  const costs = Float64Array.from({ length: 40_000 }, () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  });
  const times = Array.from({ length: 5 }, () => {
    const startMs = performance.now();
    expect(assign(200, 200, (row, column) => costs[row * 200 + column] ?? 1, 2)).toHaveLength(200);
    return performance.now() - startMs;
  });
  // The least of five: the machine may be busy.
  expect(Math.min(...times)).toBeLessThan(50);
});
