import { describe, expect, test } from 'vitest';
import { canMeasureIsolation, measureIsolation } from '#bench/isolation/run.js';
import { haveDefaultModels } from './support/default-models.js';

describe.skipIf(!canMeasureIsolation() || !(await haveDefaultModels()))(
  'an account that asks without end',
  () => {
    test('leaves another account its turns in whatever they share', { timeout: 1_800_000 }, async () => {
      const rows = await measureIsolation({ times: 8 });
      expect(rows.length).toBe(15);
      expect(rows.filter(({ isFair }) => !isFair)).toEqual([]);
    });
  },
);
