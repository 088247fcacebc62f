import { expect, test } from 'vitest';
import { crashDuringDeletion } from '#bench/account-deletion/crash-deletion.js';
import { haveDefaultModels } from './support/default-models.js';

// The short form of `npm run bench -- account-deletion`, which deletes a larger account.
test.skipIf(!(await haveDefaultModels()))(
  'a deletion that is killed again and again goes on, counts each row once and leaves no byte behind',
  { timeout: 1_800_000 },
  async () => {
    const { countedAtCrashes, before, receipt, traces, others } = await crashDuringDeletion({
      crashes: 2,
      report: () => undefined,
      scale: {
        people: 150,
        imagesPerPerson: 3,
        datasetImages: 250,
        analyses: 3000,
        dropFiles: 1500,
        jobs: 50,
      },
    });
    // That something was under way at each kill.
    const total = Object.values(before).reduce((sum, count) => sum + count, 0);
    for (const counted of countedAtCrashes) expect(counted).toBeGreaterThan(0);
    expect(countedAtCrashes[0]).toBeLessThan(total);
    expect(receipt).toMatchObject(before);
    expect(others[1]).toBe(others[0]);
    expect(traces).toEqual([]);
  },
);
