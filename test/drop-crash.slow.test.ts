import { describe, expect, test } from 'vitest';
import { crashDuringUploads } from '#bench/drop-crash/rounds.js';
import { haveDefaultModels } from './support/default-models.js';

// The short form of `npm run bench -- drop-crash`, which kills fifty times.
describe.skipIf(!(await haveDefaultModels()))('a drop that is killed amid uploads', () => {
  test('sends what was acknowledged once and whole, or says in failed/ why not, though what it sends to errs', {
    timeout: 300_000,
  }, async () => {
    const { ledger, losses, drops } = await crashDuringUploads({
      rounds: 2,
      clients: 2,
      protocol: 'both',
      afterMs: 0,
      maxLifeMs: 2000,
      log: () => undefined,
    });
    expect(losses).toEqual([]);
    // That there was something to lose.
    expect([...ledger.values()].filter(({ outcome }) => outcome === 'acknowledged').length).toBeGreaterThan(
      0,
    );
    expect(drops.map(({ received }) => received > 0)).toEqual([true, true]);
  });
});
