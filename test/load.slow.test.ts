import { describe, expect, test } from 'vitest';
import { judgeLoad } from '#bench/load/guarantees.js';
import { runWholeLoad } from '#bench/load/load.js';
import { haveDefaultModels } from './support/default-models.js';

// The short form of `npm run bench -- load`, which takes ten minutes.
describe.skipIf(!(await haveDefaultModels()))('half a minute of good, bad and slow clients', () => {
  test('leaves every promise kept', { timeout: 300_000 }, async () => {
    const report = await runWholeLoad({ minutes: 0.5, clients: 32, slowClients: 500, log: () => undefined });
    const guarantees = judgeLoad(report, {
      // In half a minute memory still grows by what is loaded and compiled: here only a leak by each request is seen.
      maxGrowth: 1.5,
      maxServingGrowth: 1.5,
      // Other tests share the cores: what is seen here is a thread that is held, not one that waits its turn.
      maxDelayP99Ms: 250,
      maxSlowdown: 4,
      // Of some thousand requests, each with five seconds where a service gives a minute.
      maxTimedOut: 20,
    });
    expect(guarantees.filter(({ kept }) => !kept)).toEqual([]);
  });
});
