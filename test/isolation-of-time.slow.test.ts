import { describe, expect, test } from 'vitest';
import { measureIsolation } from '#bench/isolation/run.js';
import { haveDefaultModels } from './support/default-models.js';

describe.skipIf(!(await haveDefaultModels()))('an account that asks without end', () => {
  // They are worked on one after the other, so that an ordinary request takes three times as long as alone at most.
  test('has at most three requests answered for each one of another account, whatever they share', {
    timeout: 1_200_000,
  }, async () => {
    const rows = await measureIsolation({ times: 8 });
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.filter(({ passed }) => passed > 3)).toEqual([]);
  });
});
