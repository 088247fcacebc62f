import { expect, test } from 'vitest';
import { dropMany } from '#bench/drop-many/run.js';

test('more tiny files than may wait are refused politely, and the others are listed', {
  timeout: 300_000,
}, async () => {
  const figures = await dropMany({ files: 1000, minutes: 1, limit: 300 });
  expect(figures.sent).toBeGreaterThanOrEqual(300);
  // Those whose rows are on their way while it counts: one a connection at most.
  expect(figures.sent).toBeLessThan(317);
  expect(figures.refused).toBeGreaterThan(0);
  expect(figures.refusal).toMatch(/452 3\d\d files wait/);
  expect(figures.listed).toBe(figures.sent);
});
