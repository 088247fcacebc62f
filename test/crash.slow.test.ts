import { describe, expect, test } from 'vitest';
import { crashDuringTraining } from '#bench/crash/custom/rounds.js';
import { crashRepeatedly } from '#bench/crash/rounds.js';
import { findingsOf } from '#bench/kill/rounds.js';
import { haveDefaultModels } from './support/default-models.js';

/** Far above what they take on a machine with ten times the work of its cores. */
const maxMs = 1_800_000;

// The short form of `npm run bench -- crash`, which kills twenty times, once of them the service alone.
describe.skipIf(!(await haveDefaultModels()))('kill -9 under load', () => {
  test('loses nothing that was acknowledged', {
    timeout: maxMs,
  }, async () => {
    const { rounds, ledger } = await crashRepeatedly({
      rounds: 1,
      clients: 8,
      maxLifeMs: 1000,
      log: () => undefined,
    });
    expect(findingsOf(rounds)).toEqual([]);
    // That there was something to lose.
    expect(ledger.calls.unlimited.answered).toBeGreaterThan(0);
    expect(ledger.calls.limited.answered).toBeGreaterThan(0);
    expect(ledger.keys.size).toBeGreaterThan(0);
    expect(ledger.faces.images.size).toBeGreaterThan(0);
  });

  test('amid datasets, uploads, a training and a switch loses nothing, and all work ends', {
    timeout: maxMs,
  }, async () => {
    const { rounds, ledgers } = await crashDuringTraining({
      rounds: 2,
      log: () => undefined,
      moments: ['features', 'activate'],
    });
    // Jobs that did not end in time are among them, with their last state.
    expect(findingsOf(rounds)).toEqual([]);
    // That there was something to lose.
    const images = ledgers.flatMap(({ datasets }) =>
      [...datasets.values()].map((entry) => entry.images.size),
    );
    const versions = ledgers.flatMap(({ models }) =>
      [...models.values()].map((entry) => entry.versions.size),
    );
    expect(Math.max(...images)).toBeGreaterThan(0);
    expect(Math.max(...versions)).toBeGreaterThan(0);
    const works = ledgers.flatMap((ledger) => [...ledger.works.values()]);
    expect(works.filter(({ kind }) => kind === 'training')[0]?.end).toMatchObject({ state: 'done' });
  });
});
